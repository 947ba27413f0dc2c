//! Where a crop lies in its image.

/// A point in pixels; whole numbers are pixel borders.
pub(super) type Point = [f32; 2];

/// Maps the pixels of a crop to those of the image it was taken from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Frame {
    /// Where the crop's top left corner lies.
    pub(super) origin: Point,
    /// One crop pixel to the right.
    pub(super) right: Point,
    /// One crop pixel down.
    pub(super) down: Point,
}

impl Frame {
    /// Makes the frame of an upright crop.
    pub(super) const fn upright(x: f32, y: f32) -> Self {
        Self {
            origin: [x, y],
            right: [1.0, 0.0],
            down: [0.0, 1.0],
        }
    }

    /// Returns where a point of the crop lies in the image.
    pub(super) fn to_image(self, x: f32, y: f32) -> Point {
        [
            self.origin[0] + x * self.right[0] + y * self.down[0],
            self.origin[1] + x * self.right[1] + y * self.down[1],
        ]
    }

    /// Returns the frame of the crop turned a quarter clockwise; `height` is its height before.
    pub(super) fn turned_clockwise(self, height: f32) -> Self {
        Self {
            origin: self.to_image(0.0, height),
            right: [-self.down[0], -self.down[1]],
            down: self.right,
        }
    }

    /// Returns the frame of the crop turned a quarter anticlockwise; `width` is its width before.
    pub(super) fn turned_anticlockwise(self, width: f32) -> Self {
        Self {
            origin: self.to_image(width, 0.0),
            right: self.down,
            down: [-self.right[0], -self.right[1]],
        }
    }

    /// Returns the corners of a crop rectangle in the image, clockwise from its own top left.
    pub(super) fn corners(self, [x0, y0, x1, y1]: [f32; 4]) -> [Point; 4] {
        [
            self.to_image(x0, y0),
            self.to_image(x1, y0),
            self.to_image(x1, y1),
            self.to_image(x0, y1),
        ]
    }

    /// Returns the clockwise turn of the crop in degrees, above -180 and up to 180.
    pub(super) fn angle(self) -> f32 {
        let degrees = self.right[1].atan2(self.right[0]).to_degrees();
        // Hundredths are far below what a detected box is exact to.
        let rounded = (degrees * 100.0).round() / 100.0;
        if rounded <= -180.0 {
            180.0
        } else {
            rounded + 0.0
        }
    }
}
