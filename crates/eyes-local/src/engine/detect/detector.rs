//! The detection network.

use eyes_evidence::{geometry::PixelRect, raster::Rgb8};
use rten_tensor::{Layout, NdTensor};

use super::{super::network::Network, ProbabilityMap, tiles};
use crate::{abort::AbortFlag, error::LocalError};

/// Sides of the network's input are multiples of this: it halves them five times.
const STRIDE: u32 = 32;
/// Mean of each input channel in the order blue, green, red, as the model was trained.
const MEAN: [f32; 3] = [0.485, 0.456, 0.406];
/// Standard deviation of each input channel in the same order.
const DEVIATION: [f32; 3] = [0.229, 0.224, 0.225];

/// The loaded detection network.
pub(in crate::engine) struct Detector {
    network: Network,
}

impl Detector {
    /// Takes a loaded network.
    pub(in crate::engine) const fn new(network: Network) -> Self {
        Self { network }
    }

    /// Returns how probable text is at each pixel of `image`.
    pub(in crate::engine) fn run(
        &self,
        image: &Rgb8,
        abort: &AbortFlag,
    ) -> Result<ProbabilityMap, LocalError> {
        let size = image.size();
        let mut values = vec![0; size.width as usize * size.height as usize];
        for (kept, seen) in tiles(size) {
            abort.check()?;
            let map = self.probabilities(image, seen)?;
            let (left, top) = ((kept.x - seen.x) as usize, (kept.y - seen.y) as usize);
            for row in 0..kept.height as usize {
                let target = (kept.y as usize + row) * size.width as usize + kept.x as usize;
                for column in 0..kept.width as usize {
                    let probability = map[[0, 0, top + row, left + column]];
                    // A cast from a float saturates, and a NaN counts as no text.
                    values[target + column] = (probability * 255.0 + 0.5) as u8;
                }
            }
        }
        Ok(ProbabilityMap { size, values })
    }

    /// Runs the network on a part of `image`.
    fn probabilities(&self, image: &Rgb8, part: PixelRect) -> Result<NdTensor<f32, 4>, LocalError> {
        let input = input(image, part);
        let shape = [1, 1, input.size(2), input.size(3)];
        let output = self.network.run(input)?;
        if output.shape() == shape {
            Ok(output)
        } else {
            let reason = format!("output has shape {:?}", output.shape());
            Err(self.network.failed(reason))
        }
    }
}

/// Makes the network's input of a part of `image`: normalised planes of blue, green and red.
///
/// The sides are padded to the stride with the mean colour, so that nothing is scaled.
fn input(image: &Rgb8, part: PixelRect) -> NdTensor<f32, 4> {
    let width = part.width.next_multiple_of(STRIDE) as usize;
    let height = part.height.next_multiple_of(STRIDE) as usize;
    let tables = [0, 1, 2].map(|channel| {
        std::array::from_fn::<f32, 256, _>(|value| {
            (value as f32 / 255.0 - MEAN[channel]) / DEVIATION[channel]
        })
    });
    let mut planes = vec![0.0; 3 * width * height];
    for (channel, plane) in planes.chunks_exact_mut(width * height).enumerate() {
        let table = &tables[channel];
        for (y, target) in (part.y..part.bottom()).zip(plane.chunks_exact_mut(width)) {
            let row = &image.row(y)[part.x as usize * 3..part.right() as usize * 3];
            for (value, pixel) in target.iter_mut().zip(row.chunks_exact(3)) {
                *value = table[usize::from(pixel[2 - channel])];
            }
        }
    }
    NdTensor::from_data([1, 3, height, width], planes)
}
