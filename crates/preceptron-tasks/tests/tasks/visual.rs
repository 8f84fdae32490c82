//! Boards of 4 x 4 with pictures of digits, from the answers to a network that reads.

use preceptron::grounding::{Known, ground_by_evidence, ground_by_reading, ground_by_rules};
use preceptron::{Scenes, Schedule, Staged, StagedSettings, TrainError, Views, calibrate, read, read_in};
use preceptron_base::Quiet;
use preceptron_learn::Settings;
use preceptron_logic::{Problem, RuleSet};
use preceptron_perceive::{Classifier, Network, Perception, Probabilities};
use preceptron_tasks::mnist::Mnist;
use preceptron_tasks::sudoku::{self, Decoding, Judge, Puzzle};

fn boards(count: usize, seed: u64) -> Vec<Puzzle> {
    sudoku::with_givens(&sudoku::generate(2, count, seed), 5..=9, seed)
}

fn classifier(steps: u64, threads: usize) -> Classifier {
    let settings = preceptron_perceive::Settings { steps: Some(steps), ..Default::default() };
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
    let mut symbols = ground_by_rules(&scenes, &rules, &Quiet);
    let all: usize = (0..scenes.len()).map(|board| scenes.sights(board).len()).sum();
    let (grounded, wrong) = count(&scenes, &puzzles, &symbols);
    assert!(wrong == 0 && grounded > all / 2 && grounded < all, "{grounded} of {all}, {wrong} wrong");
    // A reader that leans to the truth settles the rest.
    let examples: Vec<usize> = (0..scenes.len()).collect();
    let sights = examples.iter().flat_map(|&board| scenes.sights(board).iter().map(move |s| (board, s)));
    let row = |(board, sight): (usize, &preceptron::Sight)| {
        let truth = symbol(&puzzles[board], sight.place).map(usize::from);
        (0..4).map(move |class| if Some(class) == truth { 0.4 } else { 0.2 })
    };
    let probabilities = Probabilities::new(4, sights.flat_map(row).collect());
    let problem = Problem::from(rules).into();
    ground_by_reading(&scenes, &problem, &examples, &probabilities, Known::Facts, &mut symbols, 2, &Quiet)
        .unwrap();
    assert_eq!(count(&scenes, &puzzles, &symbols), (all, 0));
    // Rules that contradict what is known ground nothing.
    let nothing = RuleSet::with_rules(
        sudoku::variables(2),
        [preceptron_logic::Rule::given(preceptron_logic::Constraint::exactly(
            0,
            sudoku::variables(2).iter().map(|var| var.positive()),
        ))],
    );
    assert_eq!(count(&scenes, &puzzles, &ground_by_rules(&scenes, &nothing, &Quiet)).0, 0);
}

#[test]
fn staged_training_finds_rules_and_digits_whatever_the_threads() {
    let puzzles = boards(300, 2);
    let mnist = Mnist::embedded();
    let scenes = sudoku::scenes(2, &puzzles, &mnist.train, 2).unwrap();
    let learner = Settings { counting: false, templates: false, ..Settings::default() }.check().unwrap();
    let settings = StagedSettings { steps: 60, batch: 200, seed: 3, threads: 2, ..StagedSettings::default() };
    let train = |threads| {
        let mut classifier = classifier(settings.steps, threads);
        let staged = StagedSettings { threads, ..settings };
        let mut staged = Staged::new(&scenes, Box::new(&mut classifier), staged, learner.clone());
        staged.begin(&Quiet).unwrap();
        for _ in 0..settings.steps {
            staged.step(&Quiet).unwrap();
        }
        let all: usize = staged.symbols().iter().map(Vec::len).sum();
        let (grounded, wrong) = count(&scenes, &puzzles, staged.symbols());
        assert!(grounded == all && wrong * 50 < all, "{grounded} of {all}, {wrong} wrong");
        let rules = staged.finish(&Quiet).unwrap().rules;
        let perception = staged.perception().expect("a network");
        let found = calibrate(&scenes, perception, Views::One, staged.held_out(), staged.symbols()).unwrap();
        let found = found.expect("sights that are grounded");
        assert!(found.pictures > 50 && found.agreement > 0.8 && found.error.1 <= found.error.0 + 0.02);
        drop(staged);
        (rules, classifier.save().unwrap(), classifier)
    };
    let (rules, weights, classifier) = train(2);
    let (same_rules, same_weights, _) = train(1);
    assert!(rules == same_rules && weights == same_weights, "one thread and two differ");
    assert!(rules.compare(&sudoku::true_rules(2)).extra.is_empty());
    assert_eq!(rules.equality_rank(), 40);

    let puzzles = boards(100, 5);
    let held_out = sudoku::scenes(2, &puzzles, &mnist.test, 5).unwrap();
    let decodings = [
        Decoding::Likeliest,
        Decoding::Pinned,
        Decoding::Unique,
        Decoding::Confident(1.1),
        Decoding::Confident(0.0),
    ];
    let judge = Judge {
        scenes: &held_out,
        puzzles: &puzzles,
        perception: &classifier,
        views: Views::Five,
        rules: &rules,
        decodings: &decodings,
        confidence_at: Some(1.0),
        threads: 2,
    };
    let judged = judge.judge(&Quiet).unwrap();
    assert!(judged.givens_read * 10 > judged.givens * 9, "{} of {}", judged.givens_read, judged.givens);
    assert_eq!(judged.readings.iter().map(Vec::len).sum::<usize>(), judged.givens);
    let all: Vec<usize> = (0..held_out.len()).collect();
    assert_eq!(read(&held_out, &classifier, &all).unwrap().len(), judged.givens);
    // Five looks agree with one in most pictures, and not in all.
    let five = read_in(Views::Five, &held_out, &classifier, &all).unwrap();
    let one = read(&held_out, &classifier, &all).unwrap();
    let same = five.most_probable().zip(one.most_probable()).filter(|(a, b)| a == b).count();
    assert!(same < judged.givens && same * 10 > judged.givens * 9, "{same} of {}", judged.givens);
    assert!(five.rows().all(|row| (row.iter().sum::<f32>() - 1.0).abs() < 1e-5));
    // Each answer of the first way obeys the rules, so its boards are at least those read rightly that
    // leave one solution.
    let [likeliest, pinned, unique, blank, first_guess] = &judged.solved[..] else { panic!("five ways") };
    assert!(likeliest.boards >= pinned.boards, "{judged:?}");
    // With nothing fixed any board will do; with everything fixed a misread board mostly has no answer.
    assert!(blank.boards < 5 && blank.without_answer == 0 && first_guess.boards <= pinned.boards);
    assert!(first_guess.without_answer > 0 && first_guess.without_answer <= 100 - judged.boards_read);
    // Of the boards whose givens leave several solutions (there are such at 4 x 4) none has a unique
    // reading unless it is wrong, so this prior cannot help where it does not hold.
    assert!(unique.boards <= likeliest.boards + 5);
    // The surer an answer must be, the fewer there are, and the larger the share that is right.
    let (all, right) = likeliest.at_confidence(0.0, &puzzles).unwrap();
    let (sure, sure_right) = likeliest.at_confidence(0.95, &puzzles).unwrap();
    assert_eq!((all, right), (100, likeliest.boards));
    assert!(sure < all && sure_right * all >= right * sure, "{sure_right} of {sure}, {right} of {all}");
    assert!(pinned.at_confidence(0.0, &puzzles).is_none());
}

/// Training that was saved at some step and goes on elsewhere, on another number of threads, ends in the
/// same bits.
#[test]
fn resumed_training_ends_where_uninterrupted_training_does() {
    let puzzles = boards(150, 8);
    let scenes = sudoku::scenes(2, &puzzles, &Mnist::embedded().train, 8).unwrap();
    let learner = Settings { counting: false, templates: false, ..Settings::default() }.check().unwrap();
    let settings = |threads| StagedSettings { steps: 16, batch: 100, seed: 4, threads, ..Default::default() };
    let go_on = |staged: &mut Staged<'_>, until: u64| {
        let mut losses = Vec::new();
        while staged.made() < until {
            losses.push(staged.step(&Quiet).unwrap().get("loss").unwrap().to_bits());
        }
        losses
    };
    let new = |threads| {
        let network = Box::new(classifier(16, threads));
        Staged::new(&scenes, network, settings(threads), learner.clone())
    };
    for (before, after) in [(1, 1), (2, 2), (1, 2), (2, 1)] {
        let mut staged = new(before);
        staged.begin(&Quiet).unwrap();
        let losses = go_on(&mut staged, 16);
        let whole = staged.finish(&Quiet).unwrap();
        // Before and after the network is first asked, which is at steps 4 and 8.
        for cut in [0, 3, 4, 7, 9] {
            let mut staged = new(before);
            staged.begin(&Quiet).unwrap();
            go_on(&mut staged, cut);
            let state = staged.state().unwrap();
            let mut staged = new(after);
            staged.restore(&state).unwrap();
            assert_eq!(staged.made(), cut);
            assert_eq!(go_on(&mut staged, 16), losses[cut as usize..]);
            assert!(staged.finish(&Quiet).unwrap() == whole, "cut at {cut}");
        }
    }
    // A state of other examples is refused.
    let mut staged = new(1);
    staged.begin(&Quiet).unwrap();
    let others = sudoku::scenes(2, &boards(149, 8), &Mnist::embedded().train, 8).unwrap();
    let mut other = Staged::new(&others, Box::new(classifier(16, 1)), settings(1), learner.clone());
    let refused = other.restore(&staged.state().unwrap()).err().unwrap();
    assert_eq!(refused.to_string(), "the saved state does not fit: it is that of other examples");
}

/// Answers of which some are wrong ground most pictures rightly all the same.
#[test]
fn doubted_answers_ground_pictures() {
    let puzzles = boards(80, 9);
    let answers: Vec<sudoku::Grid> = puzzles.iter().map(Puzzle::answers).collect();
    let told = sudoku::with_wrong_digits(&answers, 0.05, 9);
    let scenes = sudoku::scenes(2, &puzzles, &Mnist::embedded().train, 9).unwrap();
    let scenes = scenes.with_known(sudoku::examples_full(2, &told)).unwrap();
    let rules = sudoku::true_rules(2);
    let as_facts = count(&scenes, &puzzles, &ground_by_rules(&scenes, &rules, &Quiet));
    let problem = Problem::from(rules).into();
    let all: Vec<usize> = (0..scenes.len()).collect();
    let ground = |threads| ground_by_evidence(&scenes, &problem, &all, 0.05, threads, &Quiet).unwrap();
    let symbols = ground(2);
    assert_eq!(symbols, ground(1));
    let (grounded, wrong) = count(&scenes, &puzzles, &symbols);
    assert!(
        grounded > as_facts.0 && wrong * 8 < grounded,
        "{wrong} of {grounded} wrong, facts: {as_facts:?}"
    );
}

#[test]
fn nothing_to_learn_from_is_said() {
    let puzzles = boards(3, 1);
    let scenes = sudoku::scenes(2, &puzzles, &Mnist::embedded().train, 1).unwrap();
    let learner = Settings { counting: false, templates: false, ..Settings::default() }.check().unwrap();
    let mut staged = Staged::new(&scenes, Box::new(classifier(4, 1)), StagedSettings::default(), learner);
    assert!(matches!(staged.begin(&Quiet).err(), Some(TrainError::NoRules(3))));
}
