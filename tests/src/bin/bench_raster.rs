//! Measures admission and lossless raster work on screen captures.
//!
//! `cargo xtask bench raster [FILE...]`; without files, on a 3840x2160 mosaic of `tests/fixtures`.
//! Everything runs on one thread, whose CPU time is shown; other load disturbs it little.

use std::{
    fmt::Write as _,
    fs, io,
    io::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
    time::Instant,
};

use eyes_evidence::{
    geometry::PixelSize,
    image::{ImageLimits, admit},
    raster::{
        Rgb8,
        encode::{PngEffort, encode_png},
        identity::pixel_sha256,
        resize::area,
        tile::{TileLimits, encode_tiles},
    },
};

/// Runs of each measurement; the least is shown, which noise of the machine disturbs least.
const RUNS: usize = 5;

fn main() -> ExitCode {
    let files: Vec<PathBuf> = std::env::args().skip(1).map(PathBuf::from).collect();
    match run(&files) {
        Ok(text) if io::stdout().write_all(text.as_bytes()).is_ok() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(failure) => {
            drop(io::stderr().write_all(format!("error: {failure}\n").as_bytes()));
            ExitCode::FAILURE
        }
    }
}

fn run(files: &[PathBuf]) -> Result<String, String> {
    let mut out = format!(
        "{:<24}{:>11}{:>8}{:>7}{:>11}{:>10}{:>11}{:>10}{:>8}\n",
        "picture", "size", "admit", "hash", "tiles fast", "MB", "tiles bal.", "MB", "shrink"
    );
    if files.is_empty() {
        let picture = mosaic(&fixtures()?)?;
        let file = encode_png(&picture, PngEffort::Balanced).map_err(|e| e.to_string())?;
        out.push_str(&measure("mosaic", &file)?);
    }
    for path in files {
        let file = fs::read(path).map_err(|e| format!("{}: {e}", path.display()))?;
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        out.push_str(&measure(&name, &file)?);
    }
    out.push_str("milliseconds of CPU, least of five; shrink: to half of each side\n");
    Ok(out)
}

fn measure(name: &str, file: &[u8]) -> Result<String, String> {
    let limits = ImageLimits::default();
    let image = admit(file, &limits).map_err(|e| e.to_string())?;
    let raster = image.raster();
    let PixelSize { width, height } = raster.size();
    let tiles = |effort| encode_tiles(raster, effort, &TileLimits::default());
    let megabytes = |effort| -> Result<f64, String> {
        let tiles = tiles(effort).map_err(|e| e.to_string())?;
        Ok(tiles.iter().map(|t| t.png.len()).sum::<usize>() as f64 / 1e6)
    };
    let half = PixelSize {
        width: width.div_ceil(2),
        height: height.div_ceil(2),
    };
    let mut out = String::new();
    let _ = writeln!(
        out,
        "{name:<24}{:>11}{:>8.1}{:>7.1}{:>11.1}{:>10.2}{:>11.1}{:>10.2}{:>8.1}",
        format!("{width}x{height}"),
        least(|| admit(file, &limits).is_ok()),
        least(|| pixel_sha256(raster)),
        least(|| tiles(PngEffort::Fast).is_ok()),
        megabytes(PngEffort::Fast)?,
        least(|| tiles(PngEffort::Balanced).is_ok()),
        megabytes(PngEffort::Balanced)?,
        least(|| area(raster, half).is_some()),
    );
    Ok(out)
}

/// The least time of several runs in milliseconds.
fn least<T>(mut work: impl FnMut() -> T) -> f64 {
    let origin = Instant::now();
    let times = (0..RUNS).map(|_| {
        let start = cpu_ms(origin);
        std::hint::black_box(work());
        cpu_ms(origin) - start
    });
    times.fold(f64::INFINITY, f64::min)
}

/// CPU time of this thread in milliseconds; time since `origin` where the system does not tell.
fn cpu_ms(origin: Instant) -> f64 {
    let stat = fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = stat.and_then(|s| s.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| origin.elapsed().as_secs_f64() * 1000.0, |ns| ns / 1e6)
}

fn fixtures() -> Result<Vec<Rgb8>, String> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let entries = fs::read_dir(&directory).map_err(|e| e.to_string())?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| Some(e.ok()?.path())).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "png"));
    paths.sort();
    let load = |path: &PathBuf| {
        let bytes = fs::read(path).map_err(|e| e.to_string())?;
        let image = admit(bytes, &ImageLimits::default()).map_err(|e| e.to_string())?;
        Ok(image.into_raster())
    };
    paths.iter().map(load).collect()
}

/// A 3840x2160 picture of the fixtures: each fills a column strip, repeated downwards.
fn mosaic(parts: &[Rgb8]) -> Result<Rgb8, String> {
    let size = PixelSize {
        width: 3840,
        height: 2160,
    };
    let mut pixels = Vec::with_capacity(size.width as usize * size.height as usize * 3);
    for y in 0..size.height {
        let end = pixels.len() + size.width as usize * 3;
        let mut next = parts.iter().cycle();
        while pixels.len() < end {
            let part = next.next().ok_or("tests/fixtures holds no picture")?;
            let row = part.row(y % part.size().height);
            let room = end - pixels.len();
            pixels.extend_from_slice(&row[..row.len().min(room)]);
        }
    }
    Rgb8::new(size, pixels).ok_or_else(|| "the mosaic is empty".to_owned())
}
