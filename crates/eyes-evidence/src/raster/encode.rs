//! Lossless PNG files from pixels.

use std::collections::BTreeMap;

use png::{BitDepth, ColorType, Compression, Encoder, Filter};

use super::{RasterError, Rgb8};

/// How much time to spend on a smaller file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum PngEffort {
    /// Least time; files are about twice as long as `Balanced` ones.
    #[default]
    Fast,
    /// A middle way, about six times the time of `Fast`.
    Balanced,
    /// Smallest file: most time, and a palette where the picture has at most 256 colours.
    Small,
}

/// Encodes a picture as 8-bit PNG; every effort gives the same pixels.
///
/// Error: `IMAGE_ENCODE_FAILED`, for sizes that PNG cannot state.
pub fn encode_png(raster: &Rgb8, effort: PngEffort) -> Result<Vec<u8>, RasterError> {
    let palette = match effort {
        PngEffort::Small => indexed(raster),
        PngEffort::Fast | PngEffort::Balanced => None,
    };
    write(raster, effort, palette).map_err(|error| RasterError::Encode {
        size: raster.size(),
        reason: error.to_string(),
    })
}

/// A picture as indices into its colours.
struct Indexed {
    colours: Vec<u8>,
    indices: Vec<u8>,
}

fn write(
    raster: &Rgb8,
    effort: PngEffort,
    palette: Option<Indexed>,
) -> Result<Vec<u8>, png::EncodingError> {
    let size = raster.size();
    // Half a byte a pixel is a common length for screen captures.
    let mut file = Vec::with_capacity(raster.pixels().len() / 6 + 1024);
    let mut encoder = Encoder::new(&mut file, size.width, size.height);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(match effort {
        PngEffort::Fast => Compression::Fast,
        PngEffort::Balanced => Compression::Balanced,
        PngEffort::Small => Compression::High,
    });
    let data = if let Some(Indexed { colours, indices }) = palette {
        encoder.set_color(ColorType::Indexed);
        encoder.set_palette(colours);
        // Neighbouring indices are no neighbouring colours: prediction only adds noise.
        encoder.set_filter(Filter::NoFilter);
        std::borrow::Cow::Owned(indices)
    } else {
        encoder.set_color(ColorType::Rgb);
        std::borrow::Cow::Borrowed(raster.pixels())
    };
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&data)?;
    writer.finish()?;
    Ok(file)
}

/// Returns the indexed form, or nothing when there are more than 256 colours.
fn indexed(raster: &Rgb8) -> Option<Indexed> {
    let mut known = BTreeMap::<[u8; 3], u8>::new();
    let mut colours = Vec::new();
    let mut indices = Vec::with_capacity(raster.pixels().len() / 3);
    // Screen captures repeat the last colour nearly always.
    let mut last: Option<([u8; 3], u8)> = None;
    for pixel in raster.pixels().chunks_exact(3) {
        let colour = [pixel[0], pixel[1], pixel[2]];
        let index = match last {
            Some((same, index)) if same == colour => index,
            _ => {
                if let Some(index) = known.get(&colour) {
                    *index
                } else {
                    let index = u8::try_from(known.len()).ok()?;
                    known.insert(colour, index);
                    colours.extend_from_slice(&colour);
                    index
                }
            }
        };
        last = Some((colour, index));
        indices.push(index);
    }
    Some(Indexed { colours, indices })
}
