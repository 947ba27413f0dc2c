//! The pixel probe: proof that a reader sees pixels, which no metadata gives.
//!
//! A picture of 3x3 solid colours is shown, and the names of the nine cells are asked for. The order is the
//! caller's, so that no answer can be known beforehand.

mod prover;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use eyes_evidence::{
    code::{Coded, ErrorCode},
    geometry::PixelSize,
    image::{ImageError, ImageLimits, admit},
    raster::{
        RasterError, Rgb8,
        encode::{PngEffort, encode_png},
    },
};
pub(crate) use prover::Prover;
use serde_json::Value;

use crate::{
    limits::{MAX_PROBE_ANSWER_BYTES, MAX_PROBE_TOKENS, PROBE_CELL},
    model::{ContentBlock, GenerateRequest, ImageInput, Message, Role, Task},
    route::Route,
};

/// A colour with a name that people and models agree on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NamedColour {
    /// Its name.
    pub name: &'static str,
    /// Red, green and blue.
    pub rgb: [u8; 3],
}

const fn named(name: &'static str, rgb: [u8; 3]) -> NamedColour {
    NamedColour { name, rgb }
}

/// The nine colours; each stands in exactly one cell.
pub const COLOURS: [NamedColour; 9] = [
    named("red", [220, 20, 60]),
    named("green", [0, 150, 70]),
    named("blue", [30, 90, 220]),
    named("yellow", [245, 205, 30]),
    named("cyan", [0, 190, 200]),
    named("magenta", [210, 50, 180]),
    named("black", [15, 15, 15]),
    named("white", [245, 245, 245]),
    named("gray", [125, 125, 125]),
];

/// One probe: an order of the nine colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PixelProbe([NamedColour; 9]);

/// The picture of a probe could not be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ProbeImageError {
    /// The PNG could not be written.
    #[error(transparent)]
    Raster(#[from] RasterError),
    /// The PNG was not admitted.
    #[error(transparent)]
    Image(#[from] ImageError),
}

impl Coded for ProbeImageError {
    fn code(&self) -> ErrorCode {
        match self {
            Self::Raster(error) => error.code(),
            Self::Image(error) => error.code(),
        }
    }
}

impl PixelProbe {
    /// Shuffles the colours by `seed` (Fisher and Yates, as Durstenfeld 1964 gives it).
    ///
    /// An unpredictable seed makes an unpredictable order; the same seed makes the same one.
    pub fn shuffled(mut seed: u64) -> Self {
        let mut order = COLOURS;
        for last in (1..order.len()).rev() {
            let choices = last as u64 + 1;
            order.swap(last, (seed % choices) as usize);
            seed /= choices;
        }
        Self(order)
    }

    /// Returns the names, from left to right and top to bottom.
    pub fn cells(&self) -> [&'static str; 9] {
        self.0.map(|colour| colour.name)
    }

    /// Draws the picture.
    ///
    /// # Panics
    ///
    /// Never: the number of bytes follows from the side.
    pub fn raster(&self) -> Rgb8 {
        let side = PROBE_CELL * 3;
        let mut pixels = Vec::with_capacity((side * side * 3) as usize);
        for y in 0..side {
            for x in 0..side {
                let cell = (y / PROBE_CELL * 3 + x / PROBE_CELL) as usize;
                pixels.extend(self.0[cell].rgb);
            }
        }
        let size = PixelSize {
            width: side,
            height: side,
        };
        Rgb8::new(size, pixels).expect("three bytes are drawn for each pixel")
    }

    /// Builds the request that shows the picture to the model of `route`.
    pub fn request(&self, route: &Route) -> Result<GenerateRequest, ProbeImageError> {
        let png = encode_png(&self.raster(), PngEffort::Fast)?;
        let image = admit(png, &ImageLimits::default())?;
        let input = ImageInput {
            bytes: Arc::clone(image.bytes()),
            identity: image.identity().clone(),
        };
        let names = COLOURS.map(|colour| colour.name).join(", ");
        let text = format!(
            "The picture is a 3x3 grid of solid colours. Name each cell from left to right, top to bottom, with one of: \
             {names}. Each name is used once, and their order here says nothing about the picture. \
             Answer only {{\"cells\":[nine names]}}."
        );
        Ok(GenerateRequest {
            model: route.model().to_owned(),
            system: None,
            messages: vec![Message {
                role: Role::User,
                content: vec![ContentBlock::Image(input), ContentBlock::Text(text)],
            }],
            max_output_tokens: Some(MAX_PROBE_TOKENS),
            temperature: Some(0.0),
            task: Task::Probe,
            tools: Arc::default(),
        })
    }

    /// Tells whether `answer` names all nine cells right; words around the one JSON object do not matter.
    pub fn is_answered_by(&self, answer: &str) -> bool {
        named_cells(answer).is_some_and(|cells| {
            cells.len() == self.0.len()
                && cells
                    .iter()
                    .zip(self.cells())
                    .all(|(given, right)| given.eq_ignore_ascii_case(right))
        })
    }
}

fn named_cells(answer: &str) -> Option<Vec<String>> {
    if answer.len() > MAX_PROBE_ANSWER_BYTES {
        return None;
    }
    let object = answer.get(answer.find('{')?..=answer.rfind('}')?)?;
    let document: Value = serde_json::from_str(object).ok()?;
    let names = document.get("cells")?.as_array()?.iter();
    names
        .map(|name| name.as_str().map(|name| name.trim().to_owned()))
        .collect()
}
