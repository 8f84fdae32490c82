//! Every target with its seeds and some changes of them, so that the harness stays alive. The program
//! `fuzz` does the same for as long as it is told.

use preceptron_fuzz::{Campaign, targets};

#[test]
fn no_reader_panics() {
    for target in targets() {
        let mut campaign = Campaign::new(&target, 1, 0);
        for _ in 0..2000 {
            let input = campaign.next_input();
            campaign.run(input);
        }
        for (input, panic) in campaign.panics.values() {
            eprintln!("{}: {panic:?}\n{}", target.name, String::from_utf8_lossy(input));
        }
        assert!(campaign.panics.is_empty(), "{}: {} panics", target.name, campaign.panics.len());
        let is = |start: &str| campaign.outcomes.iter().any(|outcome| outcome.contains(start));
        assert!(is("refused: "), "{}: nothing is refused", target.name);
        assert!(is("read: ") || is("right"), "{}: nothing is read", target.name);
        assert!(campaign.kept() > 5, "{}: only {} kept", target.name, campaign.kept());
    }
}
