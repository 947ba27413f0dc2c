//! The figures as tables.

use std::fmt::Write as _;

use crate::{
    reader::Reader,
    score::{ClassedLine, Score},
    suite::SuiteImage,
};

/// Renders all tables.
pub(crate) fn render(
    images: &[SuiteImage],
    scores: &[(Reader, Vec<Score>)],
    details: bool,
) -> String {
    let mut out = format!("{} images\n", images.len());
    for (reader, all) in scores {
        let lines: Vec<&ClassedLine> = all.iter().flat_map(|s| &s.lines).collect();
        let _ = writeln!(out, "\n{}\n{}", reader.name(), classes(&lines));
        let _ = writeln!(out, "{}", costs(all));
        if details {
            let _ = writeln!(out, "{}", by_image(images, all));
        }
        let _ = write!(out, "{}", misses(images, all, details));
    }
    out
}

fn classes(lines: &[&ClassedLine]) -> String {
    let mut out = format!(
        "{:<14}{:>8}{:>9}{:>9}{:>11}{:>10}\n",
        "size", "strings", "recall", "CER %", "IoU line", "IoU ink"
    );
    let mut sizes: Vec<(u32, u32)> = lines.iter().map(|l| (l.scale, l.px)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    for (scale, px) in sizes {
        let class = lines.iter().filter(|l| (l.scale, l.px) == (scale, px));
        row(&mut out, &format!("{px} px, {scale}x"), class.copied());
    }
    let at = |low: u32, high: u32| {
        let within = move |l: &&&ClassedLine| l.scale == 1 && (low..=high).contains(&l.px);
        lines.iter().filter(within).copied()
    };
    row(&mut out, "14 px up, 1x", at(14, u32::MAX));
    row(&mut out, "11 px, 1x", at(11, 11));
    row(&mut out, "all", lines.iter().copied());
    out
}

fn row<'a>(out: &mut String, name: &str, lines: impl Iterator<Item = &'a ClassedLine>) {
    let lines: Vec<&ClassedLine> = lines.collect();
    if lines.is_empty() {
        return;
    }
    let found = lines.iter().filter(|l| l.line.found).count();
    let characters: usize = lines.iter().map(|l| l.line.characters).sum();
    let errors: usize = lines.iter().map(|l| l.line.errors).sum();
    let mean = |of: fn(&ClassedLine) -> Option<f64>| {
        let all: Vec<f64> = lines.iter().filter_map(|l| of(l)).collect();
        all.iter().sum::<f64>() / all.len().max(1) as f64
    };
    let _ = writeln!(
        out,
        "{name:<14}{:>8}{:>9.4}{:>9.2}{:>11.3}{:>10.3}",
        lines.len(),
        found as f64 / lines.len() as f64,
        errors as f64 * 100.0 / characters.max(1) as f64,
        mean(|l| l.line.iou),
        mean(|l| l.iou_ink),
    );
}

fn costs(all: &[Score]) -> String {
    let mut out = format!(
        "{:<22}{:>9}{:>9}{:>9}\n",
        "for each image", "median", "mean", "max"
    );
    let mut line = |name: &str, of: &dyn Fn(&Score) -> Option<f64>| {
        let mut values: Vec<f64> = all.iter().filter_map(of).collect();
        values.sort_by(f64::total_cmp);
        if let (Some(last), Some(middle)) = (values.last(), values.get(values.len() / 2)) {
            let mean = values.iter().sum::<f64>() / values.len() as f64;
            let _ = writeln!(out, "{name:<22}{middle:>9.0}{mean:>9.0}{last:>9.0}");
        }
    };
    line("wall ms", &|s| Some(s.cost.wall_ms));
    line("wall ms, reading only", &|s| s.read_ms);
    line("CPU ms", &|s| Some(s.cost.cpu_ms));
    line("peak MiB", &|s| Some(s.cost.peak_mib));
    out
}

fn by_image(images: &[SuiteImage], all: &[Score]) -> String {
    let mut out = format!(
        "{:<26}{:>8}{:>9}{:>9}{:>9}{:>9}{:>10}\n",
        "image", "strings", "recall", "CER %", "wall ms", "CPU ms", "peak MiB"
    );
    for (image, score) in images.iter().zip(all) {
        let found = score.lines.iter().filter(|l| l.line.found).count();
        let characters: usize = score.lines.iter().map(|l| l.line.characters).sum();
        let errors: usize = score.lines.iter().map(|l| l.line.errors).sum();
        let _ = writeln!(
            out,
            "{:<26}{:>8}{:>9.4}{:>9.2}{:>9.0}{:>9.0}{:>10.0}",
            image.name,
            score.lines.len(),
            found as f64 / score.lines.len().max(1) as f64,
            errors as f64 * 100.0 / characters.max(1) as f64,
            score.cost.wall_ms,
            score.cost.cpu_ms,
            score.cost.peak_mib,
        );
    }
    out
}

fn misses(images: &[SuiteImage], all: &[Score], details: bool) -> String {
    const SHOWN: usize = 12;
    let mut missed = Vec::new();
    for (image, score) in images.iter().zip(all) {
        for line in score.lines.iter().filter(|l| !l.line.found) {
            missed.push(format!(
                "  {} {} px: {:?} read as {:?}\n",
                image.name, line.px, line.line.text, line.line.read
            ));
        }
    }
    let shown = if details {
        missed.len()
    } else {
        SHOWN.min(missed.len())
    };
    let mut out = format!("{} strings not found", missed.len());
    out.push_str(if shown < missed.len() {
        ", the first:\n"
    } else {
        "\n"
    });
    out.extend(missed.into_iter().take(shown));
    out
}
