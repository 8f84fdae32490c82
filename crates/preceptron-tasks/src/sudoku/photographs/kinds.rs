//! Forty kinds of damage.

use preceptron_photo::damage::{Damage, Light};
use rand::RngExt;
use rand_chacha::ChaCha8Rng;

use super::draw::{Beside, Style, USUAL};
use super::fonts::Font;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Strength {
    /// Any photograph has it.
    Mild,
    /// A careless one has it.
    Strong,
}

/// A kind of damage.
pub(super) struct Kind {
    /// Its name.
    pub name: &'static str,
    /// How bad it is.
    pub strength: Strength,
    /// How the board is drawn.
    pub style: Style,
    /// How it is photographed.
    pub damage: fn(&mut ChaCha8Rng) -> Damage,
}

/// Held by hand: turned by up to 3 degrees, from a place a little aside.
fn by_hand(random: &mut ChaCha8Rng) -> Damage {
    Damage {
        side: random.random_range(380.0..700.0),
        rotation: random.random_range(-3.0..3.0),
        perspective: random.random_range(0.0..0.03),
        margin: random.random_range(0.05..0.12),
        ..Damage::default()
    }
}

fn turned(degrees: f64, random: &mut ChaCha8Rng) -> Damage {
    let sign = if random.random_bool(0.5) { 1.0 } else { -1.0 };
    Damage { rotation: sign * degrees, ..by_hand(random) }
}

/// A font, and boards printed in it.
const fn printed(weight: f64, width: f64, slant: f64, serif: bool) -> Style {
    Style { font: Some(Font { weight, width, slant, serif }), ..USUAL }
}

const fn kind(
    name: &'static str,
    strength: Strength,
    style: Style,
    damage: fn(&mut ChaCha8Rng) -> Damage,
) -> Kind {
    Kind { name, strength, style, damage }
}

use Strength::{Mild, Strong};

const LIGHT: Light = Light { slope: 0.0, shadow: 0.0, lamp: 0.0, dusk: 0.0 };

/// All kinds.
pub(super) static KINDS: &[Kind] = &[
    kind("plain", Mild, USUAL, by_hand),
    kind("cropped", Mild, USUAL, |r| Damage { margin: 0.01, rotation: 0.0, perspective: 0.0, ..by_hand(r) }),
    kind("turned by 6 degrees", Mild, USUAL, |r| turned(6.0, r)),
    kind("turned by 12 degrees", Strong, USUAL, |r| turned(12.0, r)),
    kind("turned by 16 degrees", Strong, USUAL, |r| turned(16.0, r)),
    kind("turned by 20 degrees", Strong, USUAL, |r| turned(20.0, r)),
    kind("perspective of 6%", Mild, USUAL, |r| Damage { perspective: 0.06, ..by_hand(r) }),
    kind("perspective of 10%", Strong, USUAL, |r| Damage { perspective: 0.10, ..by_hand(r) }),
    kind("perspective of 15%", Strong, USUAL, |r| Damage { perspective: 0.15, ..by_hand(r) }),
    kind("margins of 15%", Mild, USUAL, |r| Damage { margin: 0.15, ..by_hand(r) }),
    kind("margins of 25%", Mild, USUAL, |r| Damage { margin: 0.25, ..by_hand(r) }),
    kind("margins of 40%", Strong, USUAL, |r| Damage { margin: 0.40, ..by_hand(r) }),
    kind("a desk around it", Mild, Style { paper: 0.7, ..USUAL }, |r| Damage {
        margin: 0.3,
        desk: Some(r.random_range(30..130)),
        ..by_hand(r)
    }),
    kind("text around it", Mild, Style { beside: Beside::Text, ..USUAL }, |r| Damage {
        margin: 0.35,
        ..by_hand(r)
    }),
    kind("light from a side", Mild, USUAL, |r| Damage { light: Light { slope: 0.4, ..LIGHT }, ..by_hand(r) }),
    kind("strong light from a side", Strong, USUAL, |r| Damage {
        light: Light { slope: 0.8, ..LIGHT },
        ..by_hand(r)
    }),
    kind("a shadow", Mild, USUAL, |r| Damage { light: Light { shadow: 0.35, ..LIGHT }, ..by_hand(r) }),
    kind("a deep shadow", Strong, USUAL, |r| Damage { light: Light { shadow: 0.65, ..LIGHT }, ..by_hand(r) }),
    kind("a lamp", Strong, USUAL, |r| Damage { light: Light { lamp: 0.8, ..LIGHT }, ..by_hand(r) }),
    kind("dusk", Strong, USUAL, |r| Damage {
        light: Light { dusk: 0.75, ..LIGHT },
        noise: 3.0,
        ..by_hand(r)
    }),
    kind("pencil", Strong, Style { darkness: [0.3, 0.35], ..USUAL }, by_hand),
    kind("thin lines", Mild, Style { lines: [0.016, 0.016], ..USUAL }, by_hand),
    kind("faint lines", Strong, Style { lines: [0.02, 0.02], darkness: [0.22, 0.9], ..USUAL }, by_hand),
    kind("thick lines", Mild, Style { lines: [0.08, 0.16], size: 0.85, ..USUAL }, by_hand),
    kind("broken lines", Strong, Style { gaps: 0.12, ..USUAL }, by_hand),
    kind("out of focus", Mild, USUAL, |r| Damage { blur: 1.5, ..by_hand(r) }),
    kind("far out of focus", Strong, USUAL, |r| Damage { blur: 3.2, ..by_hand(r) }),
    kind("moved", Strong, USUAL, |r| Damage { motion: 6.0, ..by_hand(r) }),
    kind("a small picture", Strong, USUAL, |r| Damage { side: 175.0, noise: 1.0, blur: 0.3, ..by_hand(r) }),
    kind("twelve megapixels", Strong, USUAL, |r| Damage {
        side: 2600.0,
        noise: 4.0,
        blur: 1.0,
        margin: 0.14,
        ..by_hand(r)
    }),
    kind("noise", Strong, USUAL, |r| Damage { noise: 18.0, ..by_hand(r) }),
    kind("JPEG of quality 40", Mild, USUAL, |r| Damage { quality: Some(40), ..by_hand(r) }),
    kind("JPEG of quality 10", Strong, USUAL, |r| Damage { quality: Some(10), ..by_hand(r) }),
    kind("rough paper", Strong, USUAL, |r| Damage { paper: 10.0, ..by_hand(r) }),
    kind("bent paper", Strong, USUAL, |r| Damage { bend: 0.015, ..by_hand(r) }),
    kind("printed", Strong, printed(0.11, 0.62, 0.0, false), by_hand),
    kind("printed in bold with feet", Strong, printed(0.17, 0.66, 0.0, true), by_hand),
    kind("a second board at the edge", Strong, Style { beside: Beside::Cut, ..USUAL }, |r| Damage {
        margin: 0.28,
        ..by_hand(r)
    }),
    kind("a smaller board beside", Strong, Style { beside: Beside::Smaller, ..USUAL }, |r| Damage {
        margin: 0.65,
        ..by_hand(r)
    }),
    kind("light on dark", Mild, USUAL, |r| Damage { negative: true, ..by_hand(r) }),
];
