//! Training images in another light (photometric augmentation): what leaves every pixel in its place, so that
//! points stay where they are.
//!
//! With m the mean of an image, c and b drawn for the image, and n for each of its values:
//! ```text
//! value = m + (1 + c) (value - m) + b + n
//! ```

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::PerceiveError;

/// How far the light is varied: each amount is drawn uniformly between its negative and itself. White is 1.
/// All are 0 by default, which leaves the images as they are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Photometric {
    /// What is added to an image (b).
    pub brightness: f32,
    /// By how much an image's distance from its mean changes (c).
    pub contrast: f32,
    /// What is added to each value by itself (n).
    pub noise: f32,
}

impl Photometric {
    /// Checks that every amount is between 0 and 1.
    pub(crate) fn check(&self) -> Result<(), PerceiveError> {
        for (key, value) in [
            ("light.brightness", self.brightness),
            ("light.contrast", self.contrast),
            ("light.noise", self.noise),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(PerceiveError::Setting { key, value: value.to_string(), range: "0 to 1" });
            }
        }
        Ok(())
    }

    /// Whether it changes anything.
    pub fn is_none(&self) -> bool {
        *self == Photometric::default()
    }

    /// Varies an image.
    pub(crate) fn apply(&self, image: &mut [f32], random: &mut ChaCha8Rng) {
        let mut up_to = |most: f32| most * (2.0 * random.random::<f32>() - 1.0);
        let (brightness, contrast) = (up_to(self.brightness), 1.0 + up_to(self.contrast));
        let mean = crate::norm::sum(image) / image.len() as f32;
        let base = mean - contrast * mean + brightness;
        image.iter_mut().for_each(|value| *value = contrast * *value + base);
        if self.noise > 0.0 {
            image.iter_mut().for_each(|value| *value += up_to(self.noise));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use preceptron_base::stream_at;

    #[test]
    fn each_amount_does_its_own() {
        let image: Vec<f32> = (0..200).map(|i| (i * 31 % 17) as f32 / 16.0).collect();
        let mean = image.iter().sum::<f32>() / 200.0;
        let varied = |light: Photometric, seed| {
            let mut image = image.clone();
            light.apply(&mut image, &mut stream_at(seed, "light of pictures", &[0, 0]));
            image
        };
        let differences =
            |light, seed| varied(light, seed).iter().zip(&image).map(|(a, b)| a - b).collect::<Vec<f32>>();
        let mut seen = Vec::new();
        for seed in 0..50 {
            let brighter = differences(Photometric { brightness: 0.3, ..Photometric::default() }, seed);
            assert!(brighter.iter().all(|by| by.abs() <= 0.3001 && (by - brighter[0]).abs() < 1e-5));
            seen.push(brighter[0]);
            let steeper = differences(Photometric { contrast: 0.5, ..Photometric::default() }, seed);
            let slope = steeper[0] / (image[0] - mean);
            assert!(slope.abs() <= 0.5001);
            assert!(steeper.iter().zip(&image).all(|(by, x)| (by - slope * (x - mean)).abs() < 1e-4));
            let noisy = differences(Photometric { noise: 0.1, ..Photometric::default() }, seed);
            assert!(noisy.iter().all(|by| by.abs() <= 0.1001));
            assert!(noisy.iter().any(|by| *by > 0.05) && noisy.iter().any(|by| *by < -0.05));
        }
        assert!(seen.iter().any(|by| *by > 0.1) && seen.iter().any(|by| *by < -0.1), "{seen:?}");
    }

    #[test]
    fn what_is_out_of_range_is_named() {
        let message = Photometric { noise: -0.1, ..Photometric::default() }.check().unwrap_err().to_string();
        assert_eq!(message, "light.noise = -0.1 is out of range: 0 to 1");
    }
}
