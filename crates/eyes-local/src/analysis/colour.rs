//! Colours: hexadecimal form, plain names, luminance and contrast.

use std::fmt;

use eyes_evidence::raster::Rgb8;

/// A colour in sRGB, 8 bits a channel; displayed as `#rrggbb`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Colour(pub [u8; 3]);

impl fmt::Display for Colour {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [r, g, b] = self.0;
        write!(f, "#{r:02x}{g:02x}{b:02x}")
    }
}

impl Colour {
    /// Returns the relative luminance of WCAG 2.2, 0 for black to 1 for white.
    pub fn luminance(self) -> f64 {
        let linear = |channel: u8| {
            let c = f64::from(channel) / 255.0;
            if c <= 0.040_45 {
                c / 12.92
            } else {
                ((c + 0.055) / 1.055).powf(2.4)
            }
        };
        let [r, g, b] = self.0.map(linear);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Returns the contrast ratio of WCAG 2.2, 1 for equal colours to 21 for black on white.
    pub fn contrast(self, other: Self) -> f64 {
        let (a, b) = (self.luminance(), other.luminance());
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }

    /// Returns the largest difference over the three channels, 0..=255.
    pub fn distance(self, other: Self) -> u8 {
        let [r, g, b] = [0, 1, 2].map(|i| self.0[i].abs_diff(other.0[i]));
        r.max(g).max(b)
    }

    /// Returns the difference between the strongest and the weakest channel, 0 for grey.
    pub fn chroma(self) -> u8 {
        let [r, g, b] = self.0;
        r.max(g).max(b) - r.min(g).min(b)
    }

    /// Returns the plain English name of the colour, such as `blue` or `dark gray`.
    pub fn name(self) -> &'static str {
        let [r, g, b] = self.0.map(i32::from);
        let (high, low) = (r.max(g).max(b), r.min(g).min(b));
        let chroma = high - low;
        // Near black or white a cast of a few levels is not seen as a colour.
        if chroma < 18 || chroma * 12 < high {
            return match i32::midpoint(high, low) {
                0..=34 => "black",
                35..=94 => "dark gray",
                95..=169 => "gray",
                170..=234 => "light gray",
                _ => "white",
            };
        }
        if high < 40 {
            return "black";
        }
        let hue = self.hue_degrees(high, chroma);
        let dark = high < 130;
        match hue {
            15..=44 if high < 180 => "brown",
            15..=44 if low > 190 => "light orange",
            15..=44 => "orange",
            45..=69 if dark => "olive",
            45..=69 if low > 190 => "light yellow",
            45..=69 => "yellow",
            70..=164 if dark => "dark green",
            70..=164 if low > 190 => "light green",
            70..=164 => "green",
            165..=199 if dark => "teal",
            165..=199 if low > 190 => "light cyan",
            165..=199 => "cyan",
            200..=254 if dark => "dark blue",
            200..=254 if low > 170 => "light blue",
            200..=254 => "blue",
            255..=289 if low > 190 => "light purple",
            255..=289 => "purple",
            290..=334 if low > 150 => "pink",
            290..=334 => "magenta",
            _ if dark => "dark red",
            _ if low > 150 => "pink",
            _ => "red",
        }
    }

    /// Hue in whole degrees, 0 for red, for a colour whose chroma is not 0.
    fn hue_degrees(self, high: i32, chroma: i32) -> i32 {
        let [r, g, b] = self.0.map(i32::from);
        let sixth = |difference: i32| difference * 60 / chroma;
        let hue = if high == r {
            sixth(g - b)
        } else if high == g {
            120 + sixth(b - r)
        } else {
            240 + sixth(r - g)
        };
        hue.rem_euclid(360)
    }
}

/// Returns the colour at a place; black outside the image.
pub(super) fn pixel(image: &Rgb8, x: u32, y: u32) -> Colour {
    let row = image.row(y);
    let at = x as usize * 3;
    match row.get(at..at + 3) {
        Some(&[r, g, b]) => Colour([r, g, b]),
        _ => Colour([0, 0, 0]),
    }
}

/// Splits a row into colours.
pub(super) fn row_colours(row: &[u8]) -> impl Iterator<Item = Colour> + '_ {
    row.as_chunks::<3>().0.iter().map(|&rgb| Colour(rgb))
}
