//! Fewer clusters from many centres (Ward): again and again the two that are merged which raises the sum of squares
//! least.
//!
//! ```text
//! cost(i, j) = n_i n_j / (n_i + n_j) |c_i - c_j|^2        c = (n_i c_i + n_j c_j) / (n_i + n_j)
//! ```
//! Many centres follow the shape of a class, which one centre does not.

/// A cluster on the way: its points, their mean, and the centres that it was made of.
struct Cluster {
    points: f64,
    mean: Vec<f64>,
    centres: Vec<usize>,
}

impl Cluster {
    fn cost(&self, other: &Cluster) -> f64 {
        let points = self.points + other.points;
        let square: f64 = self.mean.iter().zip(&other.mean).map(|(a, b)| (a - b) * (a - b)).sum();
        if points > 0.0 { self.points * other.points / points * square } else { 0.0 }
    }

    fn take(&mut self, other: Cluster) {
        let points = self.points + other.points;
        if points > 0.0 {
            for (a, b) in self.mean.iter_mut().zip(&other.mean) {
                *a = (self.points * *a + other.points * b) / points;
            }
        }
        self.points = points;
        self.centres.extend(other.centres);
    }
}

/// The cluster of each centre, when `wanted` are left. `points` says how many points are nearest to each.
pub(super) fn merged(centres: &[f32], size: usize, points: &[usize], wanted: usize) -> Vec<u32> {
    let cluster = |(number, (centre, points)): (usize, (&[f32], &usize))| Cluster {
        points: *points as f64,
        mean: centre.iter().map(|x| f64::from(*x)).collect(),
        centres: vec![number],
    };
    let mut clusters: Vec<Cluster> =
        centres.chunks_exact(size).zip(points).enumerate().map(cluster).collect();
    while clusters.len() > wanted.max(1) {
        let mut best = (f64::INFINITY, 0, 1);
        for i in 0..clusters.len() {
            for j in i + 1..clusters.len() {
                let cost = clusters[i].cost(&clusters[j]);
                if cost < best.0 {
                    best = (cost, i, j);
                }
            }
        }
        let other = clusters.remove(best.2);
        clusters[best.1].take(other);
    }
    let mut of_centre = vec![0; points.len()];
    for (number, cluster) in clusters.iter().enumerate() {
        cluster.centres.iter().for_each(|&centre| of_centre[centre] = number as u32);
    }
    of_centre
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_ones_are_merged_and_light_ones_first() {
        let centres = [0.0, 1.0, 10.0, 11.0, 20.0];
        assert_eq!(merged(&centres, 1, &[5, 5, 5, 5, 5], 3), [0, 0, 1, 1, 2]);
        // A single point costs less to take in than two crowds to join.
        assert_eq!(merged(&[0.0, 2.0, 9.0], 1, &[100, 100, 1], 2), [0, 1, 1]);
        assert_eq!(merged(&centres, 1, &[1; 5], 9), [0, 1, 2, 3, 4]);
        assert_eq!(merged(&centres, 1, &[0; 5], 1), [0; 5]);
    }
}
