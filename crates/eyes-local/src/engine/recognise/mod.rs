//! Text recognition: what one line says.

mod confusion;
mod ctc;
#[cfg(test)]
mod tests;

use eyes_evidence::{geometry::PixelSize, raster::Rgb8};
use rten_tensor::{AsView, Layout, NdTensor};

pub(super) use self::ctc::{Alphabet, Glyph};
use super::{network::Network, pixels};
use crate::error::LocalError;

/// Height of the network's input in pixels; fixed by the model.
const INPUT_HEIGHT: u32 = 48;
/// Least width of the network's input; shorter lines stand before padding, as in training.
const MIN_INPUT_WIDTH: u32 = 160;
/// The network makes one time step of this many columns.
const STEP: u32 = 8;

/// The loaded recognition network.
pub(super) struct Recogniser {
    network: Network,
    alphabet: Alphabet,
}

impl Recogniser {
    /// Takes a loaded network and its dictionary.
    pub(super) const fn new(network: Network, alphabet: Alphabet) -> Self {
        Self { network, alphabet }
    }

    /// Reads one line; `crop` holds it upright, with some background around it.
    ///
    /// Glyphs are placed as shares of the crop's width, spaces included.
    ///
    /// Each line is run alone and in its own width, so that no line depends on its neighbours.
    pub(super) fn read(&self, crop: &Rgb8) -> Result<Vec<Glyph>, LocalError> {
        let size = crop.size();
        let width = (INPUT_HEIGHT * size.width).div_ceil(size.height).max(1);
        let padded = width.next_multiple_of(STEP).max(MIN_INPUT_WIDTH);
        let scaled = pixels::resize(
            crop,
            PixelSize {
                width,
                height: INPUT_HEIGHT,
            },
        );
        let output: NdTensor<f32, 3> = self.network.run(input(&scaled, padded as usize))?;
        let [_, steps, classes] = output.shape();
        if classes != self.alphabet.classes() {
            let expected = self.alphabet.classes();
            let reason = format!("{classes} classes, expected {expected}");
            return Err(self.network.failed(reason));
        }
        let probabilities = output.to_vec();
        let mut glyphs = self.alphabet.decode(&probabilities, steps);
        confusion::settle(&mut glyphs);
        for glyph in &mut glyphs {
            glyph.middle = (glyph.middle * padded as f32 / width as f32).min(1.0);
        }
        Ok(glyphs)
    }
}

/// Makes the network's input: planes of blue, green and red in -1..=1, padded at the right with 0.
fn input(image: &Rgb8, width: usize) -> NdTensor<f32, 4> {
    let height = INPUT_HEIGHT as usize;
    let mut planes = vec![0.0; 3 * width * height];
    for (channel, plane) in planes.chunks_exact_mut(width * height).enumerate() {
        for (y, target) in plane.chunks_exact_mut(width).enumerate() {
            let row = image.row(y as u32);
            for (value, pixel) in target.iter_mut().zip(row.chunks_exact(3)) {
                *value = f32::from(pixel[2 - channel]) / 127.5 - 1.0;
            }
        }
    }
    NdTensor::from_data([1, 3, height, width], planes)
}
