//! Boards of 4 x 4 with pictures of digits, from the answers to a network that reads.

use precept::grounding::{ground_by_reading, ground_by_rules};
use precept::{Scenes, Staged, StagedSettings, TrainError, read};
use precept_learn::{Quiet, Settings};
use precept_logic::{Problem, RuleSet};
use precept_perceive::{Classifier, Network, Perception, Probabilities};
use precept_tasks::mnist::Mnist;
use precept_tasks::sudoku::{self, Decoding, Puzzle};

fn boards(count: usize, seed: u64) -> Vec<Puzzle> {
    sudoku::with_givens(&sudoku::generate(2, count, seed), 5..=9, seed)
}

fn classifier(steps: u64, threads: usize) -> Classifier {
    let settings = precept_perceive::Settings { steps: Some(steps), ..Default::default() };
    Classifier::new(Network::lenet(4).unwrap(), settings, threads).unwrap()
}

fn symbol(puzzle: &Puzzle, place: u32) -> Option<u16> {
    Some(u16::from(puzzle.solution.digits()[place as usize]) - 1)
}

/// How many sights are grounded, and how many of them wrongly.
fn count(scenes: &Scenes, puzzles: &[Puzzle], symbols: &[Vec<Option<u16>>]) -> (usize, usize) {
    let (mut grounded, mut wrong) = (0, 0);
    for (board, symbols) in symbols.iter().enumerate() {
        for (sight, found) in scenes.sights(board).iter().zip(symbols).filter(|(_, found)| found.is_some()) {
            grounded += 1;
            wrong += usize::from(*found != symbol(&puzzles[board], sight.place));
        }
    }
    (grounded, wrong)
}

#[test]
fn rules_and_readings_ground_what_pictures_show() {
    let puzzles = boards(60, 1);
    let mnist = Mnist::embedded();
    let scenes = sudoku::scenes(2, &puzzles, &mnist.train, 1).unwrap();
    let rules = sudoku::true_rules(2);
    let mut symbols = ground_by_rules(&scenes, &rules);
    let all: usize = (0..scenes.len()).map(|board| scenes.sights(board).len()).sum();
    let (grounded, wrong) = count(&scenes, &puzzles, &symbols);
    assert!(wrong == 0 && grounded > all / 2 && grounded < all, "{grounded} of {all}, {wrong} wrong");
    // A reader that leans to the truth settles the rest.
    let examples: Vec<usize> = (0..scenes.len()).collect();
    let sights = examples.iter().flat_map(|&board| scenes.sights(board).iter().map(move |s| (board, s)));
    let row = |(board, sight): (usize, &precept::Sight)| {
        let truth = symbol(&puzzles[board], sight.place).map(usize::from);
        (0..4).map(move |class| if Some(class) == truth { 0.4 } else { 0.2 })
    };
    let probabilities = Probabilities::new(4, sights.flat_map(row).collect());
    let problem = Problem::from(rules).into();
    ground_by_reading(&scenes, &problem, &examples, &probabilities, &mut symbols, 2, &Quiet).unwrap();
    assert_eq!(count(&scenes, &puzzles, &symbols), (all, 0));
    // Rules that contradict what is known ground nothing.
    let nothing = RuleSet::with_rules(
        sudoku::variables(2),
        [precept_logic::Rule::given(precept_logic::Constraint::exactly(
            0,
            sudoku::variables(2).iter().map(|var| var.positive()),
        ))],
    );
    assert_eq!(count(&scenes, &puzzles, &ground_by_rules(&scenes, &nothing)).0, 0);
}

#[test]
fn staged_training_finds_rules_and_digits_whatever_the_threads() {
    let puzzles = boards(300, 2);
    let mnist = Mnist::embedded();
    let scenes = sudoku::scenes(2, &puzzles, &mnist.train, 2).unwrap();
    let learner = Settings { counting: false, templates: false, ..Settings::default() }.check().unwrap();
    let settings = StagedSettings { steps: 40, batch: 200, seed: 3, threads: 2 };
    let train = |threads| {
        let mut classifier = classifier(settings.steps, threads);
        let staged = StagedSettings { threads, ..settings };
        let mut staged = Staged::begin(&scenes, &mut classifier, staged, &learner, &Quiet).unwrap();
        for _ in 0..settings.steps {
            staged.step(&Quiet).unwrap();
        }
        let all: usize = staged.symbols().iter().map(Vec::len).sum();
        let (grounded, wrong) = count(&scenes, &puzzles, staged.symbols());
        assert!(grounded == all && wrong * 50 < all, "{grounded} of {all}, {wrong} wrong");
        let rules = staged.learn_again(&learner, &Quiet).rules.clone();
        (rules, classifier.save().unwrap(), classifier)
    };
    let (rules, weights, classifier) = train(2);
    let (same_rules, same_weights, _) = train(1);
    assert!(rules == same_rules && weights == same_weights, "one thread and two differ");
    assert!(rules.compare(&sudoku::true_rules(2)).extra.is_empty());
    assert_eq!(rules.equality_rank(), 40);

    let puzzles = boards(100, 5);
    let held_out = sudoku::scenes(2, &puzzles, &mnist.test, 5).unwrap();
    let decodings = [Decoding::Likeliest, Decoding::Pinned];
    let judged = sudoku::judge(&held_out, &puzzles, &classifier, &rules, &decodings, 2, &Quiet).unwrap();
    assert!(judged.givens_read * 10 > judged.givens * 9, "{} of {}", judged.givens_read, judged.givens);
    assert_eq!(judged.readings.iter().map(Vec::len).sum::<usize>(), judged.givens);
    let all: Vec<usize> = (0..held_out.len()).collect();
    assert_eq!(read(&held_out, &classifier, &all).unwrap().len(), judged.givens);
    // Each answer of the first way obeys the rules, so its boards are at least those read rightly that
    // leave one solution.
    assert!(judged.solved[0].boards >= judged.solved[1].boards, "{judged:?}");
}

#[test]
fn nothing_to_learn_from_is_said() {
    let puzzles = boards(3, 1);
    let scenes = sudoku::scenes(2, &puzzles, &Mnist::embedded().train, 1).unwrap();
    let learner = Settings { counting: false, templates: false, ..Settings::default() }.check().unwrap();
    let mut classifier = classifier(4, 1);
    let begun = Staged::begin(&scenes, &mut classifier, StagedSettings::default(), &learner, &Quiet);
    assert!(matches!(begun.err(), Some(TrainError::NoRules(3))));
}
