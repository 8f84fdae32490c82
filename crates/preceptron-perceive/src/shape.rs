//! The shape of an image or of what a layer makes of it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// Channels, height and width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shape {
    /// How many values there are for each pixel: 1 for grey images.
    pub channels: usize,
    /// Rows of pixels.
    pub height: usize,
    /// Pixels in a row.
    pub width: usize,
}

impl Shape {
    /// A shape of so many channels, rows and columns.
    pub const fn new(channels: usize, height: usize, width: usize) -> Shape {
        Shape { channels, height, width }
    }

    /// Pixels in a channel.
    pub const fn pixels(&self) -> usize {
        self.height.saturating_mul(self.width)
    }

    /// Values in all channels. A shape that no memory can hold has the greatest number there is.
    pub const fn size(&self) -> usize {
        self.channels.saturating_mul(self.pixels())
    }
}

/// As in `1x28x28`.
impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}x{}", self.channels, self.height, self.width)
    }
}
