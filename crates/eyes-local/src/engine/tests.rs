use std::{num::NonZeroUsize, sync::LazyLock};

use eyes_evidence::{
    code::Coded,
    geometry::{PixelRect, PixelSize},
    image::{ImageLimits, admit},
    raster::Rgb8,
};

use super::{LocalReader, Reading};
use crate::{
    abort::AbortFlag,
    config::{Detail, LocalConfig},
    text::TextLine,
};

/// One page of the project's own, rendered by Chromium: 820 x 520 pixels.
static PAGE: LazyLock<Rgb8> = LazyLock::new(|| {
    let bytes: &[u8] = include_bytes!("../testdata/page.png");
    admit(bytes, &ImageLimits::default()).unwrap().into_raster()
});

fn reader(threads: usize) -> LocalReader {
    LocalReader::new(LocalConfig {
        threads: NonZeroUsize::new(threads),
        ..LocalConfig::default()
    })
    .unwrap()
}

fn read(image: &Rgb8, detail: Detail) -> Reading {
    reader(2).read(image, detail, &AbortFlag::new()).unwrap()
}

fn find<'a>(reading: &'a Reading, text: &str) -> &'a TextLine {
    let found = reading.lines.iter().find(|line| line.text == text);
    let all: Vec<&str> = reading
        .lines
        .iter()
        .map(|line| line.text.as_str())
        .collect();
    found.unwrap_or_else(|| panic!("no line `{text}` in {all:#?}"))
}

#[test]
fn reads_every_line_of_a_page_where_it_stands() {
    let reading = read(&PAGE, Detail::Standard);
    // Text, left and top edge of its letters as Chromium drew them, and its clockwise turn.
    let expected = [
        ("Vertical axis label", 28, 41, 90.0),
        ("Network settings", 92, 25, 0.0),
        ("Requests per second", 771, 41, -90.0),
        (
            "Connection refused by host db-07 (timeout 30 s)",
            91,
            69,
            0.0,
        ),
        ("网络连接失败，请稍后重试", 91, 102, 0.0),
        ("合计：¥1,284.50", 90, 134, 0.0),
        ("2026-11-30 14:05", 420, 134, 0.0),
        ("Small print: 48.3 MB of 120.7 MB downloaded", 90, 164, 0.0),
        ("Muted caption 第 3 页", 91, 196, 0.0),
        ("Save changes", 429, 196, 0.0),
        ("const total = items.length * 42;", 114, 274, 0.0),
        ("深色模式已启用", 114, 314, 0.0),
        ("ERROR 0x80070005: Access is denied.", 115, 351, 0.0),
        ("Tilted by four degrees", 118, 443, 4.0),
    ];
    for (text, x, y, angle) in expected {
        let line = find(&reading, text);
        let off = (line.rect.x.abs_diff(x), line.rect.y.abs_diff(y));
        assert!(off.0 <= 3 && off.1 <= 3, "{text}: {:?}", line.rect);
        assert!((line.angle - angle).abs() <= 1.0, "{text}: {}", line.angle);
        assert!(line.confidence > 0.8, "{text}: {}", line.confidence);
    }
    assert_eq!(reading.lines.len(), expected.len());
    assert_eq!((reading.unread.len(), reading.skipped), (0, 0));
}

#[test]
fn lines_carry_words_colors_and_corners() {
    let reading = read(&PAGE, Detail::Standard);
    let line = find(&reading, "Connection refused by host db-07 (timeout 30 s)");
    let words: Vec<&str> = line.words.iter().map(|word| word.text.as_str()).collect();
    assert_eq!(words.join(" "), line.text);
    for pair in line.words.windows(2) {
        assert!(pair[0].rect.right() <= pair[1].rect.x, "{pair:?}");
    }
    assert_eq!(line.quad[0], [line.rect.x as f32, line.rect.y as f32]);
    let colors = line.colors.unwrap();
    assert_eq!(colors.background, [255, 255, 255]);
    assert!(colors.contrast > 8.0, "{colors:?}");
    let button = find(&reading, "Save changes").colors.unwrap();
    assert_eq!(button.background, [0x1f, 0x6f, 0xeb]);
    let dark = find(&reading, "深色模式已启用").colors.unwrap();
    assert_eq!(dark.background, [0x0d, 0x11, 0x17]);
    // Turned text starts at its own top left: the page's top right for a clockwise turn.
    let turned = find(&reading, "Vertical axis label");
    assert!(turned.quad[0][0] > turned.quad[3][0] && turned.quad[1][1] > turned.quad[0][1]);
}

#[test]
fn the_reading_does_not_depend_on_threads_or_earlier_reads() {
    let (one, two) = (reader(1), reader(2));
    let abort = AbortFlag::new();
    let first = one.read(&PAGE, Detail::Standard, &abort).unwrap();
    let others = [&two, &two, &one].map(|r| r.read(&PAGE, Detail::Standard, &abort).unwrap());
    for other in others {
        assert_eq!(first, other);
    }
}

/// Puts the page onto a larger sheet.
fn on_sheet(size: PixelSize, places: &[(u32, u32)]) -> Rgb8 {
    let mut pixels = vec![255; size.width as usize * size.height as usize * 3];
    for (x, y) in places {
        for row in 0..PAGE.size().height {
            let start = ((y + row) * size.width + x) as usize * 3;
            let source = PAGE.row(row);
            pixels[start..start + source.len()].copy_from_slice(source);
        }
    }
    Rgb8::new(size, pixels).unwrap()
}

#[test]
fn lines_across_the_borders_of_tiles_are_read_whole() {
    let size = PixelSize {
        width: 2400,
        height: 1100,
    };
    // The tiles meet in column 1,200 and in row 550.
    let sheet = on_sheet(size, &[(790, 340)]);
    let reading = read(&sheet, Detail::High);
    let small = read(&PAGE, Detail::High);
    assert_eq!(reading.lines.len(), small.lines.len());
    for line in &small.lines {
        let moved = find(&reading, &line.text).rect;
        let back = (
            moved.x.abs_diff(790 + line.rect.x),
            moved.y.abs_diff(340 + line.rect.y),
        );
        assert!(
            back.0 <= 1 && back.1 <= 1,
            "{}: {moved:?} {:?}",
            line.text,
            line.rect
        );
    }
}

#[test]
fn a_raised_flag_stops_the_read() {
    let abort = AbortFlag::new();
    abort.abort();
    let error = reader(1).read(&PAGE, Detail::Standard, &abort).unwrap_err();
    assert_eq!(error.code().as_str(), "ABORTED");
}

#[test]
fn a_flag_raised_between_lines_stops_before_the_next_one() {
    let reader = reader(1);
    let abort = AbortFlag::new();
    let map = reader.detector.run(&PAGE, &abort).unwrap();
    let (cores, _) = super::detect::lines(&map, &PAGE);
    assert!(reader.read_core(&PAGE, &cores[0], &abort).is_ok());
    abort.abort();
    let error = reader.read_core(&PAGE, &cores[1], &abort).unwrap_err();
    assert_eq!(error.code().as_str(), "ABORTED");
    assert!(reader.detector.run(&PAGE, &abort).is_err());
}

#[test]
fn images_without_text_have_no_lines() {
    for (width, height) in [(1, 1), (5, 3), (33, 1), (1, 700), (640, 480)] {
        let size = PixelSize { width, height };
        let pixels = vec![200; width as usize * height as usize * 3];
        let reading = read(&Rgb8::new(size, pixels).unwrap(), Detail::Standard);
        assert_eq!(reading, Reading::default(), "{width}x{height}");
    }
}

#[test]
fn every_box_lies_inside_the_image() {
    // The page cut off at a line: text touches the border.
    let part = super::pixels::part(
        &PAGE,
        PixelRect {
            x: 92,
            y: 26,
            width: 500,
            height: 330,
        },
    );
    let reading = read(&part, Detail::Standard);
    assert!(reading.lines.len() > 8);
    for line in &reading.lines {
        let rects = line.words.iter().map(|word| word.rect).chain([line.rect]);
        for rect in rects {
            assert!(rect.width > 0 && rect.height > 0, "{line:?}");
            assert!(rect.right() <= 500 && rect.bottom() <= 330, "{line:?}");
        }
    }
}
