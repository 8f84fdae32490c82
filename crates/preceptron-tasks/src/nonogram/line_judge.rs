//! What a line's clue and its known cells say of the others: by dynamic programming over its runs.
//!
//! `before[j][i]`: the first `j` runs fit into the first `i` cells. `after[j][i]`: the runs from `j` on fit
//! into the cells from `i` on. A cell can be white if for some `j` both sides of it fit, and black if for
//! some run and place over the cell they do.

/// What is known of a cell: black, white, or nothing.
pub type Known = Option<bool>;

/// Fills in the cells of a line that are the same wherever the runs stand; false if they fit nowhere.
pub fn fill(cells: &mut [Known], clue: &[usize]) -> bool {
    let (length, count) = (cells.len(), clue.len());
    let reversed_cells: Vec<Known> = cells.iter().rev().copied().collect();
    let reversed_clue: Vec<usize> = clue.iter().rev().copied().collect();
    let before = prefixes(cells, clue);
    let reversed = prefixes(&reversed_cells, &reversed_clue);
    let after = |run: usize, from: usize| reversed[count - run][length - from];
    if !before[count][length] {
        return false;
    }
    let (mut white, mut black) = (vec![false; length], vec![false; length]);
    for (run, fits) in before.iter().enumerate() {
        for at in (0..length).filter(|&at| cells[at] != Some(true)) {
            white[at] |= fits[at] && after(run, at + 1);
        }
    }
    for (run, &size) in clue.iter().enumerate() {
        for start in 0..(length + 1).saturating_sub(size) {
            let end = start + size;
            let left = match run {
                0 => before[0][start],
                _ => start > 0 && cells[start - 1] != Some(true) && before[run][start - 1],
            };
            let right = match run + 1 == count {
                true => after(count, end),
                false => end < length && cells[end] != Some(true) && after(run + 1, end + 1),
            };
            if left && right && cells[start..end].iter().all(|&cell| cell != Some(false)) {
                black[start..end].fill(true);
            }
        }
    }
    for (at, cell) in cells.iter_mut().enumerate() {
        match (black[at], white[at]) {
            (true, true) => {}
            (false, false) => return false,
            (black, _) => *cell = Some(black),
        }
    }
    true
}

/// By number of runs and number of cells: whether so many first runs fit into so many first cells.
fn prefixes(cells: &[Known], clue: &[usize]) -> Vec<Vec<bool>> {
    let length = cells.len();
    let mut fits = vec![vec![false; length + 1]; clue.len() + 1];
    fits[0][0] = true;
    for end in 1..=length {
        fits[0][end] = fits[0][end - 1] && cells[end - 1] != Some(true);
    }
    for run in 1..=clue.len() {
        let size = clue[run - 1];
        for end in 1..=length {
            let is_white = cells[end - 1] != Some(true) && fits[run][end - 1];
            let ends_here =
                size <= end && cells[end - size..end].iter().all(|&cell| cell != Some(false)) && {
                    let start = end - size;
                    match run {
                        1 => fits[0][start],
                        _ => start > 0 && cells[start - 1] != Some(true) && fits[run - 1][start - 1],
                    }
                };
            fits[run][end] = is_white || ends_here;
        }
    }
    fits
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::nonogram::runs;

    /// The plain twin goes through all lines.
    #[test]
    fn cells_are_filled_in_as_all_lines_with_the_clue_have_them() {
        let bits = |line: usize| (0..6).map(|at| line >> at & 1 == 1).collect::<Vec<bool>>();
        let lines: Vec<Vec<bool>> = (0..64).map(bits).collect();
        for clue in [&[][..], &[1], &[2], &[6], &[1, 1], &[2, 1], &[1, 2, 1], &[3, 2], &[7], &[2, 4]] {
            for known in 0..3usize.pow(6) {
                let value = |at: u32| [None, Some(false), Some(true)][known / 3usize.pow(at) % 3];
                let mut cells: Vec<Known> = (0..6).map(value).collect();
                let agrees = |line: &&Vec<bool>| {
                    runs(line.iter().copied()) == clue
                        && line.iter().zip(&cells).all(|(&black, cell)| cell.is_none_or(|c| c == black))
                };
                let possible: Vec<&Vec<bool>> = lines.iter().filter(agrees).collect();
                assert_eq!(fill(&mut cells, clue), !possible.is_empty());
                if let Some(first) = possible.first() {
                    let same = |at: usize| possible.iter().all(|line| line[at] == first[at]);
                    let plain: Vec<Known> = (0..6).map(|at| same(at).then_some(first[at])).collect();
                    assert_eq!(cells, plain, "{clue:?}");
                }
            }
        }
    }
}
