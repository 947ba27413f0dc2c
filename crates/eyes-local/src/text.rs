//! Text as it was recognised, in pixels of the original image.

use eyes_evidence::geometry::PixelRect;

/// One word of a line, from the recogniser's time steps.
#[derive(Debug, Clone, PartialEq)]
pub struct TextWord {
    /// The word.
    pub text: String,
    /// Where it stands.
    pub rect: PixelRect,
}

/// The two colours of a line, from its pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextColors {
    /// Colour of the strokes.
    pub foreground: [u8; 3],
    /// Colour behind them.
    pub background: [u8; 3],
    /// Contrast ratio of the two, 1..=21 (WCAG 2.2, 1.4.3).
    pub contrast: f32,
}

/// One line of text.
#[derive(Debug, Clone, PartialEq)]
pub struct TextLine {
    /// The text; never empty.
    pub text: String,
    /// Mean probability of the kept characters, 0..=1.
    pub confidence: f32,
    /// The axis-parallel box around the ink.
    pub rect: PixelRect,
    /// The corners of the ink's own rectangle, clockwise from the text's own top left.
    pub quad: [[f32; 2]; 4],
    /// Clockwise turn of the text in degrees; 0 for upright text.
    pub angle: f32,
    /// Words, in order.
    pub words: Vec<TextWord>,
    /// Stroke and background colour, where the two can be told apart.
    pub colors: Option<TextColors>,
}
