//! What model families are known to do, in spite of what they are asked.
//!
//! The request names shares of the image with width and height; each family drifts to what it was trained on.
//! The figures are logarithms of prior odds: 0 for the usual habit, about -3 for one in twenty.

use super::{Order, Scale};
use crate::geometry::PixelSize;

/// A family of models with a habit of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Family {
    /// Thousandths with corners (Qwen3-VL, GLM-V, `InternVL`, Seed).
    ThousandCorners,
    /// Pixels with corners (Qwen2-VL, Qwen2.5-VL).
    PixelCorners,
    /// Thousandths with corners, `y` first (Gemini).
    ThousandCornersYFirst,
    /// Shares with corners (Kimi).
    UnitCorners,
    /// Nothing is known.
    Unknown,
}

impl Family {
    /// Finds the family in `provider/model`.
    pub(super) fn of(route: &str) -> Self {
        let route = route.to_ascii_lowercase();
        let names = |words: &[&str]| words.iter().any(|word| route.contains(word));
        if names(&["qwen2-", "qwen2.5", "qwen-2", "qwen2vl", "qwen2_5"]) {
            Self::PixelCorners
        } else if names(&["qwen", "qvq", "glm", "internvl", "doubao", "seed-"]) {
            Self::ThousandCorners
        } else if names(&["gemini", "gemma", "paligemma"]) {
            Self::ThousandCornersYFirst
        } else if names(&["kimi", "moonshot"]) {
            Self::UnitCorners
        } else {
            Self::Unknown
        }
    }

    /// Returns the prior of a convention among those of its group (shares, or larger numbers).
    #[expect(clippy::match_same_arms, reason = "one line a habit")]
    pub(super) const fn prior(self, scale: Scale, order: Order) -> f64 {
        match (self, scale, order) {
            // Whoever writes shares mostly follows the request.
            (_, Scale::Unit, Order::Xywh) => 0.0,
            (Self::UnitCorners, Scale::Unit, Order::Xyxy) => -1.5,
            (Self::ThousandCornersYFirst, Scale::Unit, Order::Yxyx) => -3.0,
            (_, Scale::Unit, Order::Xyxy) => -3.0,
            (_, Scale::Unit, Order::Yxyx) => -6.0,

            (Self::ThousandCorners, Scale::Thousand, Order::Xyxy) => 0.0,
            (Self::ThousandCorners, Scale::Thousand, Order::Xywh) => -2.0,
            (Self::ThousandCorners, Scale::Pixel, Order::Xyxy) => -3.0,
            (Self::ThousandCorners, Scale::Pixel, Order::Xywh) => -3.5,

            (Self::PixelCorners, Scale::Pixel, Order::Xyxy) => 0.0,
            (Self::PixelCorners, Scale::Pixel, Order::Xywh) => -2.0,
            (Self::PixelCorners, Scale::Thousand, Order::Xyxy) => -2.5,
            (Self::PixelCorners, Scale::Thousand, Order::Xywh) => -4.0,

            (Self::ThousandCornersYFirst, Scale::Thousand, Order::Yxyx) => 0.0,
            (Self::ThousandCornersYFirst, Scale::Thousand, Order::Xyxy) => -3.0,
            (Self::ThousandCornersYFirst, Scale::Thousand, Order::Xywh) => -3.0,
            (Self::ThousandCornersYFirst, Scale::Pixel, Order::Xyxy | Order::Xywh) => -5.0,

            (_, Scale::Pixel, Order::Xywh) => 0.0,
            (_, Scale::Pixel, Order::Xyxy) => -0.7,
            (_, Scale::Thousand, Order::Xyxy) => -0.7,
            (_, Scale::Thousand, Order::Xywh) => -1.2,
            (_, Scale::Thousand, Order::Yxyx) => -4.0,
            (_, Scale::Pixel, Order::Yxyx) => -6.0,

            // What is seen is what is measured, unless the request's own size is taken up.
            (Self::PixelCorners, Scale::Resized, Order::Xyxy) => -0.5,
            (_, Scale::Resized, Order::Xyxy) => -1.2,
            (_, Scale::Resized, Order::Xywh) => -1.2,
            (_, Scale::Resized, Order::Yxyx) => -7.0,
        }
    }
}

/// Share below which a shrunk picture differs from the original by more than a box's own error.
const SHRUNK: f64 = 0.97;

/// Returns the size to which a provider shrinks a picture of `size`, where its rule is published and applies.
///
/// Sources: Anthropic, "Vision" (long edge 1,568 pixels, about 1.2 megapixels); `OpenAI`, "Images and vision" (within a
/// square of 2,048, then a short side of 768); Qwen2.5-VL, `smart_resize` (1,280 tiles of 28 by 28 unless configured).
pub(super) fn resized(route: &str, size: PixelSize) -> Option<PixelSize> {
    let route = route.to_ascii_lowercase();
    let names = |words: &[&str]| words.iter().any(|word| route.contains(word));
    let [w, h] = [f64::from(size.width), f64::from(size.height)];
    let within_area = |pixels: f64| (pixels / (w * h)).sqrt();
    let scale = if names(&["claude"]) {
        (1568.0 / w.max(h)).min(within_area(1.2e6))
    } else if names(&["gpt-4o", "gpt-4.1", "gpt-4-turbo", "gpt-4-vision"]) {
        let square = (2048.0 / w.max(h)).min(1.0);
        square * (768.0 / (w.min(h) * square)).min(1.0)
    } else if names(&["qwen2-", "qwen2.5", "qwen-2", "qwen2vl", "qwen2_5"]) {
        within_area(1280.0 * 28.0 * 28.0)
    } else {
        return None;
    };
    (scale < SHRUNK).then(|| PixelSize {
        width: (w * scale).round().max(1.0) as u32,
        height: (h * scale).round().max(1.0) as u32,
    })
}
