//! Reading one detected line: pieces, words, boxes and colours.

use std::ops::Range;

use eyes_evidence::geometry::{PixelRect, PixelSize};

use super::{
    crop::Crop,
    frame::Point,
    ink::InkMap,
    pixels,
    recognise::{Glyph, Recogniser},
    spaces,
};
use crate::{
    abort::AbortFlag,
    error::LocalError,
    limits::MAX_LINE_ASPECT,
    text::{TextLine, TextWord},
};

/// Mean probability below which a line counts as not read.
const MIN_CONFIDENCE: f32 = 0.5;
/// Blank columns that part two texts, in heights of the ink between them.
///
/// Words stand 0.3 apart and monospaced double spaces 1.2; columns of a table are wider apart.
const PIECE_GAP: f32 = 1.5;
/// Blank columns that part two words, in heights of the ink, where a line was cut for its length.
const WORD_GAP: f32 = 0.2;
/// Mean probability below which a line is read once more, cut out closer and so larger.
///
/// Narrow letters share a time step of the recogniser when they are small; a closer cut parts them.
const DOUBTFUL: f32 = 0.985;
/// Rows kept above and below the ink in a closer cut, in heights of the ink.
const CLOSE_MARGIN: f32 = 0.15;
/// How much higher than wide a box is before it may be text turned by a quarter.
const TURNED_ASPECT: f32 = 1.5;
/// How much more probable a turned reading has to be than an upright one.
const TURN_ADVANTAGE: f32 = 0.05;

/// What became of one detected box.
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The lines read.
    pub(super) lines: Vec<TextLine>,
    /// Pieces that look like text and could not be read.
    pub(super) unread: Vec<PixelRect>,
}

/// One piece of a crop and what it says.
struct Piece {
    glyphs: Vec<Glyph>,
    confidence: f32,
}

/// Reads the lines of one crop.
pub(super) fn read_crop(
    recogniser: &Recogniser,
    crop: &Crop,
    image: PixelSize,
    abort: &AbortFlag,
) -> Result<Outcome, LocalError> {
    abort.check()?;
    let size = crop.size();
    if (size.height as f32) < TURNED_ASPECT * size.width as f32 {
        return upright(recogniser, crop, image, abort);
    }
    let mut best: Option<(f32, Outcome)> = None;
    let turned = [
        (0.0, crop.clone()),
        (TURN_ADVANTAGE, crop.turned_clockwise()),
        (TURN_ADVANTAGE, crop.turned_anticlockwise()),
    ];
    for (handicap, crop) in turned {
        let outcome = upright(recogniser, &crop, image, abort)?;
        let mean = mean_confidence(&outcome) - handicap;
        if best.as_ref().is_none_or(|(most, _)| mean > *most) {
            best = Some((mean, outcome));
        }
    }
    Ok(best.map(|(_, outcome)| outcome).unwrap_or_default())
}

fn mean_confidence(outcome: &Outcome) -> f32 {
    let total: f32 = outcome.lines.iter().map(|line| line.confidence).sum();
    total / (outcome.lines.len() + outcome.unread.len()).max(1) as f32
}

fn upright(
    recogniser: &Recogniser,
    crop: &Crop,
    image: PixelSize,
    abort: &AbortFlag,
) -> Result<Outcome, LocalError> {
    let ink = InkMap::of(&crop.pixels, &crop.rows);
    let rows = ink.rows(&crop.rows, &crop.columns);
    let height = (rows.end - rows.start) as f32;
    let pieces = ink.pieces(&rows, (height * PIECE_GAP).ceil() as u32);
    let mut outcome = Outcome::default();
    for (index, columns) in pieces.iter().enumerate() {
        let left = index.checked_sub(1).map_or(0, |before| pieces[before].end);
        let right = pieces
            .get(index + 1)
            .map_or(crop.size().width, |after| after.start);
        let area = left..right;
        let piece = read_closely(recogniser, crop, (&ink, &rows), (columns, &area), abort)?;
        match line(crop, (&ink, &rows), columns, &piece, image) {
            Some(line) => outcome.lines.push(line),
            None => outcome.unread.extend(rect_of(
                crop.frame
                    .corners([columns.start, rows.start, columns.end, rows.end].map(|v| v as f32)),
                image,
            )),
        }
    }
    Ok(outcome)
}

/// Reads one piece, twice where it is doubtful; the more probable reading counts.
fn read_closely(
    recogniser: &Recogniser,
    crop: &Crop,
    (ink, rows): (&InkMap, &Range<u32>),
    place: (&Range<u32>, &Range<u32>),
    abort: &AbortFlag,
) -> Result<Piece, LocalError> {
    let height = crop.size().height;
    let mut piece = read_piece(recogniser, crop, (ink, rows, &(0..height)), place, abort)?;
    if piece.confidence < DOUBTFUL {
        let margin = ((rows.end - rows.start) as f32 * CLOSE_MARGIN).ceil() as u32;
        let band = rows.start.saturating_sub(margin)..(rows.end + margin).min(height);
        let closer = read_piece(recogniser, crop, (ink, rows, &band), place, abort)?;
        if closer.confidence > piece.confidence {
            piece = closer;
        }
    }
    spaces::restore(&mut piece.glyphs, ink, rows);
    Ok(piece)
}

/// Reads the rows `band` of one piece, in parts where it is too long for the recogniser; glyphs are placed
/// in crop pixels.
fn read_piece(
    recogniser: &Recogniser,
    crop: &Crop,
    (ink, rows, band): (&InkMap, &Range<u32>, &Range<u32>),
    (columns, area): (&Range<u32>, &Range<u32>),
    abort: &AbortFlag,
) -> Result<Piece, LocalError> {
    let height = band.end - band.start;
    let margin = (rows.start - band.start).max(band.end - rows.end);
    let from = columns.start.saturating_sub(margin).max(area.start);
    let to = (columns.end + margin).min(area.end);
    let longest = height * MAX_LINE_ASPECT;
    let mut glyphs: Vec<Glyph> = Vec::new();
    let mut start = from;
    while start < to {
        abort.check()?;
        let gap = if to - start > longest {
            ink.cut(rows, &(start + longest / 2..start + longest))
        } else {
            to..to
        };
        let end = u32::midpoint(gap.start, gap.end).clamp(start + 1, to);
        let part = PixelRect {
            x: start,
            y: band.start,
            width: end - start,
            height,
        };
        let reading = recogniser.read(&pixels::part(&crop.pixels, part))?;
        glyphs.extend(reading.into_iter().map(|glyph| Glyph {
            middle: start as f32 + glyph.middle * (end - start) as f32,
            ..glyph
        }));
        let space = (gap.end - gap.start) as f32 >= WORD_GAP * (rows.end - rows.start) as f32;
        if end < to && space {
            glyphs.push(Glyph::space(end as f32));
        }
        start = end;
    }
    let total: f32 = glyphs.iter().map(|glyph| glyph.probability).sum();
    let confidence = total / glyphs.len().max(1) as f32;
    Ok(Piece { glyphs, confidence })
}

fn line(
    crop: &Crop,
    (ink, rows): (&InkMap, &Range<u32>),
    columns: &Range<u32>,
    piece: &Piece,
    image: PixelSize,
) -> Option<TextLine> {
    let text: String = piece
        .glyphs
        .iter()
        .map(|glyph| glyph.text.as_str())
        .collect();
    let text = text.trim();
    if text.is_empty() || piece.confidence < MIN_CONFIDENCE {
        return None;
    }
    let bounds = ink.bounds(rows, columns)?;
    let place = |bounds: [u32; 4]| crop.frame.corners(bounds.map(|v| v as f32));
    let quad = place(bounds);
    let words = words(&piece.glyphs, columns)
        .into_iter()
        .filter_map(|(text, columns)| {
            let bounds = ink.bounds(rows, &columns).unwrap_or([
                columns.start,
                rows.start,
                columns.end,
                rows.end,
            ]);
            let rect = rect_of(place(bounds), image)?;
            Some(TextWord { text, rect })
        })
        .collect();
    Some(TextLine {
        text: text.to_owned(),
        // Sums of floats may differ in their last digits between processors.
        confidence: (piece.confidence * 1000.0).round() / 1000.0,
        rect: rect_of(quad, image)?,
        quad,
        angle: crop.frame.angle(),
        words,
        colors: ink.colors(&crop.pixels, bounds),
    })
}

/// Splits glyphs at their spaces; each word with the columns between the spaces around it.
fn words(glyphs: &[Glyph], columns: &Range<u32>) -> Vec<(String, Range<u32>)> {
    let mut words = Vec::new();
    let mut from = columns.start;
    let mut text = String::new();
    let mut close = |text: &mut String, to: u32, next: u32| {
        let range = from.min(to.saturating_sub(1))..to.max(1);
        if !text.is_empty() {
            words.push((std::mem::take(text), range));
        }
        from = next;
    };
    for glyph in glyphs {
        if glyph.text.trim().is_empty() {
            let at = (glyph.middle.round() as u32).clamp(columns.start, columns.end);
            close(&mut text, at, at);
        } else {
            text.push_str(&glyph.text);
        }
    }
    close(&mut text, columns.end, columns.end);
    words
}

/// Returns the whole pixels around four corners inside the image.
fn rect_of(corners: [Point; 4], image: PixelSize) -> Option<PixelRect> {
    let edge = |axis: usize, pick: fn(f32, f32) -> f32| {
        corners.iter().map(|corner| corner[axis]).reduce(pick)
    };
    let (left, top) = (
        edge(0, f32::min)?.floor().max(0.0),
        edge(1, f32::min)?.floor().max(0.0),
    );
    let (right, bottom) = (edge(0, f32::max)?.ceil(), edge(1, f32::max)?.ceil());
    PixelRect {
        x: left as u32,
        y: top as u32,
        width: (right - left).max(0.0) as u32,
        height: (bottom - top).max(0.0) as u32,
    }
    .clamp_to(image)
}
