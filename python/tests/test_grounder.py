"""A network of one's own: here one that remembers pictures, which shows that symbols come from rules and answers alone."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from preceptron import Grounder, names


def squares(count: int, seed: int = 0) -> np.ndarray:
    """Latin squares of 3 x 3."""
    random = np.random.default_rng(seed)
    rows, columns, digits = (random.permuted(np.tile(np.arange(3), (count, 1)), axis=1) for _ in range(3))
    base = (rows[:, :, None] + columns[:, None, :]) % 3
    return np.take_along_axis(digits, base.reshape(count, 9), axis=1)


def examples(count: int, seen: float = 0.4, seed: int = 0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Squares, which cells are seen, and what is known of the others."""
    boards = squares(count, seed)
    there = np.random.default_rng(seed + 1).random(boards.shape) < seen
    one_hot = np.eye(3)[boards]
    one_hot[there] = -1
    return boards, there, one_hot.reshape(count, -1).astype(np.int8)


def make(**settings: object) -> Grounder:
    return Grounder(names("cell", row=3, column=3, digit=3), 3, **settings)  # type: ignore[arg-type]


def test_stages() -> None:
    boards, there, known = examples(400)
    grounder = make()
    rules = grounder.learn(known)
    assert rules.rank >= 15
    targets = grounder.targets(known=known)
    fixed = targets.mask
    assert (fixed <= there).all() and fixed.sum() > 0.5 * there.sum()
    assert (targets.symbols[fixed] == boards[fixed]).all()
    assert targets.values.shape == (400, 9, 3) and (targets.values.sum(axis=2) == fixed).all()
    # A network that reads nine of ten pictures rightly.
    random = np.random.default_rng(3)
    read = np.full((400, 9, 3), 0.1)
    shown = np.where(random.random(boards.shape) < 0.9, boards, (boards + 1) % 3)
    np.put_along_axis(read, shown[:, :, None], 0.8, axis=2)
    read[~there] = np.nan
    grounded = grounder.targets(read, known)
    assert (grounded.mask == there).all()
    right = (grounded.symbols == boards)[there].mean()
    assert right > 0.97, right
    final = grounder.finish(known, read)
    assert len(final) == 27 and final.rank == 19


def test_doubted_answers() -> None:
    boards, there, known = examples(300)
    grounder = make(wrong=0.05, threshold=0.9)
    clean = make()
    clean.learn(known)
    grounder.load_state_dict({**clean.state_dict()})
    random = np.random.default_rng(9)
    told = known.reshape(300, 9, 3).copy()
    flip = (random.random((300, 9)) < 0.03) & ~there
    told[flip] = np.roll(told[flip], 1, axis=1)
    targets = grounder.targets(known=told.reshape(300, -1))
    assert targets.mask.sum() > 0.3 * there.sum()
    assert (targets.symbols == boards)[targets.mask].mean() > 0.9


def test_state_is_saved_and_taken_up() -> None:
    _, _, known = examples(300)
    grounder = make()
    grounder.learn(known)
    other = make()
    other.load_state_dict(pickle.loads(pickle.dumps(grounder.state_dict())))
    assert (other.targets(known=known).values == grounder.targets(known=known).values).all()


class Table:
    """Reads a picture, which is its own number, by what it was fitted to; similar pictures are read alike."""

    def __init__(self, rate: float = 0.1) -> None:
        self.logits = np.random.default_rng(1).normal(0, 0.01, (6, 3))
        self.rate = rate

    def read(self, pictures: np.ndarray) -> np.ndarray:
        scores = np.exp(self.logits[pictures])
        return scores / scores.sum(axis=-1, keepdims=True)

    def fit(self, pictures: np.ndarray, targets: np.ndarray, pace: float) -> None:
        slopes = targets - self.read(pictures)
        step = np.zeros_like(self.logits)
        np.add.at(step, pictures, slopes)
        counts = np.bincount(pictures, minlength=6)[:, None].clip(1)
        self.logits += 10 * self.rate * pace * step / counts


def joint_training(steps: int | None, resume: bool = False) -> tuple[Grounder, Table, dict]:
    """Each digit is drawn in two ways; nobody says which pictures show which."""
    count = 2048
    boards, there, known = examples(count, 0.5, seed=4)
    pictures = boards * 2 + np.random.default_rng(5).integers(0, 2, boards.shape)
    network = Table()

    def read(ids: np.ndarray) -> np.ndarray:
        p = network.read(pictures[ids])
        p[~there[ids]] = np.nan
        return p

    def new() -> Grounder:
        judge = np.arange(256)
        return make(schedule="joint", examples=count, judge_by=lambda: (read(judge), known[judge]), seed=2, threads=1)

    grounder, metrics, made = new(), {}, 0
    while not grounder.is_settled and (steps is None or made < steps):
        order = np.random.default_rng([7, made // 32]).permutation(count)
        ids = order[made % 32 * 64 :][:64]
        if resume and made == 5:
            state = pickle.loads(pickle.dumps(grounder.state_dict()))
            grounder = new()
            grounder.load_state_dict(state)
        pace = grounder.pace
        targets = grounder.targets(read(ids), known[ids], ids)
        network.fit(pictures[ids][targets.mask], targets.values[targets.mask], pace)
        metrics = {**metrics, **targets.metrics}
        made += 1
    grounder.finish(known, read(np.arange(count)))
    return grounder, network, metrics


def test_joint_training_finds_the_rules() -> None:
    grounder, network, metrics = joint_training(None)
    assert grounder.is_settled and metrics["phase"] >= 2
    assert grounder.rules.rank == 19, (len(grounder.rules), metrics)
    read = network.read(np.arange(6)).argmax(axis=1)
    assert read.tolist() == [0, 0, 1, 1, 2, 2]


def test_joint_training_is_taken_up() -> None:
    whole, first, _ = joint_training(12)
    again, second, _ = joint_training(12, resume=True)
    assert (whole.weights == again.weights).all() and (first.logits == second.logits).all()
    assert whole.weights.shape[1] == 27 and whole.steps_made == 12


def test_rows_are_judged_by_somebody() -> None:
    _, there, known = examples(64)
    grounder = make(schedule="joint", examples=64, course="rising", warm_up=0, epochs=1)
    p = np.full((64, 9, 3), 1 / 3)
    with pytest.raises(ValueError, match="asks for probabilities"):
        grounder.targets(known=known)
    grounder.targets(np.where(there[:, :, None], p, np.nan), known)
    assert grounder.is_settled
