//! What model families are known to do, in spite of what they are asked.
//!
//! The request names shares of the image with width and height; each family drifts to what it was trained on.
//! The figures are logarithms of prior odds: 0 for the usual habit, about -3 for one in twenty.

use super::{Order, Scale};

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
        }
    }
}
