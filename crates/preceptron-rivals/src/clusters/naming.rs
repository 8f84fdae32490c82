//! Which class a cluster is, for those who know the classes of some pictures.
//!
//! Clusters have no names, so reading them is judged by the best that names could do: each cluster is the class
//! that most of its pictures show, on the pictures that it was learned on. Several clusters may be one class. Labels
//! enter here alone, to judge; nothing is learned from them.

/// The classes of clusters.
#[derive(Clone, Debug, PartialEq)]
pub struct ClusterNames {
    /// The class that most pictures of each cluster show; 0 for an empty one.
    pub classes: Vec<u16>,
    /// The share of the pictures that show the class of their cluster.
    pub purity: f64,
}

impl ClusterNames {
    /// From clusters of pictures, and what these show, in the same order. What is beyond the shorter one is not
    /// looked at.
    pub fn of(clusters: &[u32], labels: &[u16]) -> ClusterNames {
        let pairs =
            || clusters.iter().zip(labels).map(|(&cluster, &label)| (cluster as usize, usize::from(label)));
        let count = pairs().map(|(cluster, _)| cluster + 1).max().unwrap_or(0);
        let classes = pairs().map(|(_, label)| label + 1).max().unwrap_or(0);
        let mut shown = vec![vec![0usize; classes]; count];
        pairs().for_each(|(cluster, label)| shown[cluster][label] += 1);
        let most = |row: &Vec<usize>| (0..classes).rev().max_by_key(|&class| row[class]).unwrap_or(0) as u16;
        let right: usize = shown.iter().filter_map(|row| row.iter().max()).sum();
        let all = clusters.len().min(labels.len()).max(1);
        ClusterNames { classes: shown.iter().map(most).collect(), purity: right as f64 / all as f64 }
    }

    /// The share of other pictures, by their clusters, that show the class of their cluster.
    pub fn accuracy(&self, clusters: &[u32], labels: &[u16]) -> f64 {
        let is_right = |(cluster, label): &(&u32, &u16)| self.classes.get(**cluster as usize) == Some(*label);
        let right = clusters.iter().zip(labels).filter(is_right).count();
        right as f64 / clusters.len().min(labels.len()).max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clusters_are_what_most_of_their_pictures_show() {
        let names = ClusterNames::of(&[0, 0, 0, 2, 2, 2], &[3, 3, 1, 1, 1, 1]);
        assert_eq!(names, ClusterNames { classes: vec![3, 0, 1], purity: 5.0 / 6.0 });
        assert_eq!(names.accuracy(&[0, 2, 9], &[3, 0, 0]), 1.0 / 3.0);
        assert_eq!(ClusterNames::of(&[], &[]).purity, 0.0);
    }
}
