//! Grids drawn at random poses are found where they are; other pictures are refused.

use preceptron_base::stream;
use preceptron_photo::damage::{Damage, Light, Page, cloud, compressed, photograph};
use preceptron_photo::{NoGrid, Picture, find_grid};
use rand::RngExt;

/// A drawn grid with marks in some of its cells, and margins of paper.
fn page(cells: usize, thin: usize, thick: usize, tone: u8, seed: u64) -> (Picture, [f64; 4]) {
    let (cell, margin) = (60, 30);
    let size = cells * cell + 2 * margin;
    let random = &mut stream(seed, "marks of a test", cells as u64);
    let mut page = Picture::new(size, size, 255);
    for line in 0..=cells {
        let wide = if line % 3 == 0 { thick } else { thin };
        let at = margin + line * cell - wide / 2;
        let (from, length) = (margin - thick / 2, cells * cell + thick);
        page.fill(at, from, wide, length, tone);
        page.fill(from, at, length, wide, tone);
    }
    for place in 0..cells * cells {
        if random.random_bool(0.4) {
            // A hook, somewhat like a digit.
            let (x, y) = (margin + place % cells * cell, margin + place / cells * cell);
            let (x, y) = (x + random.random_range(14..22), y + random.random_range(10..16));
            page.fill(x, y, 6, 34, 20);
            page.fill(x, y + random.random_range(0..28), 22, 6, 20);
        }
    }
    let (from, to) = (margin as f64, (margin + cells * cell) as f64);
    (page, [from, from, to, to])
}

fn worst(damage: &Damage, (thin, thick, tone): (usize, usize, u8), seed: u64) -> Option<f64> {
    let (picture, grid) = page(9, thin, thick, tone, seed);
    let random = &mut stream(seed, "damage of a test", 0);
    let (seen, corners) = photograph(Page { picture: &picture, grid }, damage, random);
    let found = find_grid(&seen, 9).ok()?;
    let apart = |(a, b): ([f64; 2], [f64; 2])| (a[0] - b[0]).hypot(a[1] - b[1]);
    Some(found.grid.corners().into_iter().zip(corners).map(apart).fold(0.0, f64::max))
}

fn kinds() -> Vec<(&'static str, Damage, (usize, usize, u8))> {
    let plain = Damage { rotation: 2.0, perspective: 0.02, ..Damage::default() };
    let light = |slope, shadow, lamp, dusk| Light { slope, shadow, lamp, dusk };
    vec![
        ("plain", plain.clone(), (2, 6, 0)),
        ("cropped", Damage { margin: 0.005, ..plain.clone() }, (2, 6, 0)),
        ("turned", Damage { rotation: -20.0, ..plain.clone() }, (2, 6, 0)),
        ("aside", Damage { perspective: 0.15, rotation: 8.0, ..plain.clone() }, (2, 6, 0)),
        ("margins", Damage { margin: 0.4, desk: Some(60), ..plain.clone() }, (2, 6, 0)),
        ("shadow", Damage { light: light(0.6, 0.5, 0.3, 0.1), ..plain.clone() }, (2, 6, 0)),
        ("dark", Damage { light: light(0.0, 0.0, 0.5, 0.7), ..plain.clone() }, (2, 6, 0)),
        ("thin", plain.clone(), (1, 1, 60)),
        ("faint", plain.clone(), (2, 2, 190)),
        ("thick", plain.clone(), (8, 14, 0)),
        ("blurred", Damage { blur: 3.0, ..plain.clone() }, (2, 4, 0)),
        ("moved", Damage { motion: 7.0, ..plain.clone() }, (2, 4, 0)),
        ("noisy", Damage { noise: 20.0, ..plain.clone() }, (2, 4, 0)),
        ("compressed", Damage { quality: Some(10), ..plain.clone() }, (2, 4, 0)),
        ("rough", Damage { paper: 12.0, ..plain.clone() }, (2, 4, 0)),
        ("bent", Damage { bend: 0.02, ..plain.clone() }, (2, 4, 0)),
        ("negative", Damage { negative: true, ..plain.clone() }, (2, 4, 0)),
        ("small", Damage { side: 120.0, blur: 0.5, margin: 0.2, ..plain.clone() }, (2, 6, 0)),
        ("large", Damage { side: 1500.0, ..plain.clone() }, (2, 6, 0)),
    ]
}

#[test]
fn grids_are_found_where_they_are() {
    let seeds: u64 = std::env::var("SEEDS").ok().and_then(|n| n.parse().ok()).unwrap_or(2);
    let mut failures = Vec::new();
    for (name, damage, lines) in kinds() {
        let apart: Vec<Option<f64>> = (0..seeds).map(|seed| worst(&damage, lines, seed)).collect();
        // A pixel or two; of a bent or large page as many more as its cells are larger.
        let most = (damage.side / 270.0).max(2.0) + 100.0 * damage.bend;
        let good = apart.iter().flatten().filter(|apart| **apart < most).count();
        if good < seeds as usize {
            failures.push(format!("{name}: {apart:.2?}"));
        }
    }
    assert!(failures.is_empty(), "{failures:#?}");
}

fn noise(width: usize, height: usize, seed: u64) -> Picture {
    let random = &mut stream(seed, "noise of a test", 0);
    Picture::from_pixels(width, (0..width * height).map(|_| random.random()).collect())
}

fn landscape(seed: u64) -> Picture {
    let random = &mut stream(seed, "landscape of a test", 0);
    let clouds = cloud(480, 360, [90.0, 25.0, 4.0], random);
    let tone = |(at, cloud): (usize, &f64)| {
        let sky = if at / 480 < 150 { 200.0 } else { 90.0 };
        (sky + 25.0 * cloud).clamp(0.0, 255.0) as u8
    };
    Picture::from_pixels(480, clouds.iter().enumerate().map(tone).collect())
}

fn checkered(cells: usize) -> Picture {
    let mut picture = Picture::new(cells * 40 + 60, cells * 40 + 60, 230);
    for at in (0..cells * cells).filter(|at| (at % cells + at / cells).is_multiple_of(2)) {
        picture.fill(30 + at % cells * 40, 30 + at / cells * 40, 40, 40, 30);
    }
    picture
}

#[test]
fn what_is_no_grid_is_refused() {
    let refused = |name: &str, picture: &Picture| {
        let found = find_grid(picture, 9);
        assert!(found.is_err(), "{name}: {:?}", found.map(|found| (found.grid.corners(), found.share)));
        found.unwrap_err()
    };
    refused("noise", &noise(300, 300, 1));
    refused("compressed noise", &compressed(&noise(400, 300, 2), 20));
    refused("landscape", &landscape(1));
    assert_eq!(refused("paper", &Picture::new(500, 500, 240)), NoGrid::Nothing { cells: 9 });
    for cells in [8, 9, 10] {
        refused("checkered", &checkered(cells));
    }
    for cells in [3, 6, 8, 10, 12, 18] {
        let (page, grid) = page(cells, 2, 2, 0, 1);
        let random = &mut stream(1, "damage of a test", 1);
        let (seen, _) = photograph(Page { picture: &page, grid }, &Damage::default(), random);
        refused(&format!("{cells} cells"), &seen);
    }
    assert!(matches!(refused("tiny", &Picture::new(50, 50, 0)), NoGrid::Small { .. }));
}

#[test]
fn another_number_of_cells_can_be_asked_for() {
    for cells in [4, 6, 16] {
        let (page, grid) = page(cells, 2, 6, 0, 3);
        let random = &mut stream(3, "damage of a test", 1);
        let damage = Damage { rotation: 5.0, perspective: 0.04, ..Damage::default() };
        let (seen, _) = photograph(Page { picture: &page, grid }, &damage, random);
        assert!(find_grid(&seen, cells).is_ok(), "{cells}");
    }
}
