//! A part of an image as a person names it.

use std::str::FromStr;

use eyes_evidence::{
    code::{Coded, ErrorCode},
    geometry::{NormalizedBbox, PixelRect, PixelSize},
};
use eyes_router::codes::INVALID_VISION_REQUEST;

/// `x,y,width,height`, in whole pixels or, with a `%` after each number, in percent of the image.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Region {
    /// Pixels of the image as stored.
    Pixels(PixelRect),
    /// Percent of width and height.
    Percent([f64; 4]),
}

/// A region cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RegionError {
    /// The text is not four numbers of one kind.
    #[error("a region is x,y,width,height in whole pixels, or in percent with % after each number")]
    Syntax,
    /// The region is empty or does not lie inside the image.
    #[error("the region is not inside the {width}x{height} image")]
    Outside {
        /// Pixels of the image from left to right.
        width: u32,
        /// Pixels of the image from top to bottom.
        height: u32,
    },
}

impl Coded for RegionError {
    fn code(&self) -> ErrorCode {
        INVALID_VISION_REQUEST
    }
}

impl Region {
    /// Returns the box in an image of `size`.
    pub fn within(self, size: PixelSize) -> Result<NormalizedBbox, RegionError> {
        let found = match self {
            Self::Pixels(rect) if rect.clamp_to(size) == Some(rect) => {
                NormalizedBbox::from_pixels(rect, size)
            }
            Self::Pixels(_) => None,
            Self::Percent(shares) => NormalizedBbox::try_from(shares.map(|v| v / 100.0)).ok(),
        };
        found.ok_or(RegionError::Outside {
            width: size.width,
            height: size.height,
        })
    }
}

impl FromStr for Region {
    type Err = RegionError;

    fn from_str(text: &str) -> Result<Self, RegionError> {
        let parts: Vec<&str> = text.split(',').map(str::trim).collect();
        let parts: [&str; 4] = parts.try_into().map_err(|_| RegionError::Syntax)?;
        let pixels = parts.map(|part| part.parse::<u32>().ok());
        if let [Some(x), Some(y), Some(width), Some(height)] = pixels {
            return Ok(Self::Pixels(PixelRect {
                x,
                y,
                width,
                height,
            }));
        }
        let shares = parts.map(|part| part.strip_suffix('%')?.parse::<f64>().ok());
        match shares {
            [Some(x), Some(y), Some(w), Some(h)] => Ok(Self::Percent([x, y, w, h])),
            _ => Err(RegionError::Syntax),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: PixelSize = PixelSize {
        width: 200,
        height: 100,
    };

    fn within(text: &str) -> Result<[f64; 4], RegionError> {
        let region: Region = text.parse()?;
        region.within(SIZE).map(Into::into)
    }

    #[test]
    fn pixels_and_percent_name_the_same_part() {
        let expected = Ok([0.1, 0.2, 0.5, 0.3]);
        assert_eq!(within("20,20,100,30"), expected);
        assert_eq!(within("10%, 20%, 50%, 30%"), expected);
    }

    #[test]
    fn refuses_what_is_not_a_part_of_the_image() {
        for text in [
            "",
            "1,2,3",
            "1,2,3,4,5",
            "0.1,0.2,0.5,0.3",
            "10%,20,50%,30%",
            "-1,0,5,5",
        ] {
            assert_eq!(within(text), Err(RegionError::Syntax), "{text:?}");
        }
        for text in [
            "0,0,0,5",
            "0,0,201,5",
            "200,0,1,1",
            "50%,0%,51%,1%",
            "0%,0%,0%,1%",
        ] {
            assert!(
                matches!(within(text), Err(RegionError::Outside { .. })),
                "{text:?}"
            );
        }
    }
}
