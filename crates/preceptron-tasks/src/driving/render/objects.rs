//! Labelled objects, put together from solids inside the label's box.

use super::film::Shadow;
use super::look::{Colour, Look, mix};
use super::solid::{Paint, Solid};
use crate::driving::Label;

/// A part of an object, in shares of its box: from the back (-1) to the front (1), from the ground (0) to the
/// top (1), and how wide it is.
struct Part {
    along: [f32; 2],
    up: [f32; 2],
    wide: f32,
    colour: Colour,
    paint: Paint,
}

fn part(along: [f32; 2], up: [f32; 2], wide: f32, colour: Colour, paint: Paint) -> Part {
    Part { along, up, wide, colour, paint }
}

/// The solids of an object; the tint is three random numbers from 0 to 1.
pub(super) fn build(label: &Label, tint: [f32; 3], solids: &mut Vec<Solid>) {
    let paint = lacquer(tint);
    let clothes = [
        mix([0.1, 0.12, 0.2], [0.8, 0.3, 0.25], tint[0]),
        mix([0.12, 0.12, 0.15], [0.35, 0.3, 0.25], tint[1]),
    ];
    let skin = [0.8, 0.62, 0.5];
    let dark = [0.08; 3];
    let parts: Vec<Part> = match label.kind.to_ascii_lowercase().as_str() {
        "car" => vec![
            part([-1.0, 1.0], [0.08, 0.6], 1.0, paint, Paint::Body),
            part([-0.75, 0.35], [0.6, 1.0], 0.86, paint, Paint::Glass),
        ],
        "van" => vec![
            part([-1.0, 1.0], [0.06, 0.5], 1.0, paint, Paint::Body),
            part([-0.98, 0.7], [0.5, 1.0], 0.94, paint, Paint::Glass),
        ],
        "truck" => vec![
            part([-1.0, 0.6], [0.2, 1.0], 1.0, mix(paint, [0.8; 3], 0.5), Paint::Plain),
            part([-1.0, 1.0], [0.05, 0.3], 0.95, dark, Paint::Body),
            part([0.65, 1.0], [0.15, 0.8], 0.95, paint, Paint::Glass),
        ],
        "tram" => vec![
            part([-1.0, 1.0], [0.05, 0.45], 1.0, paint, Paint::Plain),
            part([-0.99, 0.99], [0.45, 1.0], 0.98, paint, Paint::Glass),
        ],
        "pedestrian" | "person_sitting" => vec![
            part([-0.5, 0.5], [0.0, 0.48], 0.6, clothes[1], Paint::Plain),
            part([-0.6, 0.6], [0.45, 0.84], 1.0, clothes[0], Paint::Plain),
            part([-0.3, 0.3], [0.85, 1.0], 0.4, skin, Paint::Plain),
        ],
        "cyclist" => vec![
            part([-1.0, 1.0], [0.0, 0.42], 0.2, dark, Paint::Plain),
            part([-0.25, 0.25], [0.3, 0.5], 0.6, clothes[1], Paint::Plain),
            part([-0.3, 0.35], [0.48, 0.86], 0.9, clothes[0], Paint::Plain),
            part([0.0, 0.3], [0.86, 1.0], 0.4, skin, Paint::Plain),
        ],
        _ => vec![part([-1.0, 1.0], [0.0, 1.0], 1.0, mix(paint, [0.5; 3], 0.5), Paint::Plain)],
    };
    solids.extend(parts.iter().map(|part| place(label, part)));
}

/// A part where the label says.
fn place(label: &Label, part: &Part) -> Solid {
    let along = direction(label);
    let [length, width, height] = [label.length, label.width, label.height].map(|side| side as f32);
    let [x, bottom, z] = label.location.map(|value| value as f32);
    let middle = (part.along[0] + part.along[1]) / 2.0 * length / 2.0;
    Solid {
        centre: [x + along[0] * middle, z + along[1] * middle],
        along,
        half: [(part.along[1] - part.along[0]) / 2.0 * length / 2.0, part.wide * width / 2.0],
        reach: part.up.map(|share| bottom - share * height),
        is_round: false,
        colour: part.colour,
        paint: part.paint,
    }
}

/// Where an object's length points: x, z.
fn direction(label: &Label) -> [f32; 2] {
    let (sine, cosine) = (label.rotation as f32).sin_cos();
    [cosine, -sine]
}

/// The shadow of an object on the ground: under it, and a little away from the sun.
pub(super) fn shadow(label: &Label, look: &Look) -> Shadow {
    let away = 0.35 * label.height as f32 * look.direct;
    let [x, _, z] = label.location.map(|value| value as f32);
    Shadow {
        centre: [x - look.sun[0] * away, z - look.sun[2] * away],
        along: direction(label),
        half: [label.length as f32 * 0.56 + 0.1, label.width as f32 * 0.62 + 0.1],
        depth: 0.45 + 0.2 * look.direct,
    }
}

/// The colours that cars have: white, gray and black mostly, else red, blue, green or brown.
fn lacquer([which, tone, shade]: [f32; 3]) -> Colour {
    let colour: Colour = match (which * 10.0) as u32 {
        0..=1 => [0.85, 0.85, 0.86],
        2..=3 => [0.58, 0.6, 0.62],
        4..=5 => [0.12, 0.12, 0.14],
        6 => [0.65, 0.1, 0.1],
        7 => [0.12, 0.2, 0.5],
        8 => [0.3, 0.32, 0.36],
        _ => mix([0.15, 0.35, 0.22], [0.5, 0.4, 0.28], tone),
    };
    colour.map(|part| (part * (0.8 + 0.4 * shade)).min(1.0))
}
