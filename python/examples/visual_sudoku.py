"""Visual Sudoku with a PyTorch network of one's own, from pictures and answers alone.

Nobody says what a picture shows, and no rule is known. Boards: a file of lines `puzzle,solution`, such as
`precept data sudoku generate --count 1100 --out boards.csv` writes. Pictures: MNIST, by default the repository's copy.

    python python/examples/visual_sudoku.py boards.csv --train 1000 --test 100 --steps 600
"""

import argparse
import gzip
import lzma
import time
from pathlib import Path

import numpy as np
import torch
from torch import nn

import preceptron

MNIST = Path(__file__).parents[2] / "crates/preceptron-tasks/data/mnist"


def boards(file: str, count: int, last: bool) -> np.ndarray:
    """Puzzles and solutions: count x 2 x 81, 0 where a cell is empty."""
    lines = (lzma.open(file, "rt") if file.endswith("xz") else open(file)).read().split()
    lines = [line for line in lines if line[:1].isdigit() or line[:1] == "."]
    cells = [[[int(c.replace(".", "0")) for c in part] for part in line.split(",")[:2]] for line in (lines[-count:] if last else lines[:count])]
    return np.array(cells)


def pictures(part: str, digits: np.ndarray, seed: int, folder: Path) -> np.ndarray:
    """A picture for each digit, drawn from those of that digit."""
    images = np.frombuffer(gzip.open(folder / f"{part}-images-idx3-ubyte.gz").read(), np.uint8, offset=16).reshape(-1, 1, 28, 28)
    labels = np.frombuffer(gzip.open(folder / f"{part}-labels-idx1-ubyte.gz").read(), np.uint8, offset=8)
    random = np.random.default_rng(seed)
    chosen = np.zeros(digits.shape, dtype=np.int64)
    for digit in range(1, 10):
        chosen[digits == digit] = random.choice(np.flatnonzero(labels == digit), (digits == digit).sum())
    return images[chosen]


def network() -> nn.Module:
    return nn.Sequential(
        nn.Conv2d(1, 16, 3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(16, 32, 3), nn.ReLU(), nn.MaxPool2d(2),
        nn.Flatten(), nn.Linear(800, 128), nn.ReLU(), nn.Dropout(0.3), nn.Linear(128, 9),
    )  # fmt: skip


def read(net: nn.Module, images: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """Probabilities for every seen cell, NaN elsewhere."""
    net.eval()
    p = np.full((*seen.shape, 9), np.nan, dtype=np.float32)
    with torch.no_grad():
        parts = [net(torch.from_numpy(part).float() / 255).softmax(1).numpy() for part in np.array_split(images, len(images) // 2000 + 1)]
    p[seen] = np.concatenate(parts)
    net.train()
    return p


def train(train_boards: np.ndarray, images: np.ndarray, steps: int, batch: int, seed: int) -> tuple[nn.Module, preceptron.RuleSet]:
    """The loop: rules from what is known, symbols by the rules, the network from the symbols, and rules from everything."""
    puzzles, solutions = train_boards[:, 0], train_boards[:, 1]
    seen = puzzles > 0
    known = np.eye(9, dtype=np.int8)[solutions - 1]  # What stands in empty cells is the answer,
    known[seen] = -1                                 # what stands in the given ones nobody says.
    known = known.reshape(len(known), -1)
    grounder = preceptron.Grounder(preceptron.names("cell", row=9, column=9, digit=9), 9, seed=seed)
    rules = grounder.learn(known, quick=True)
    targets = grounder.targets(known=known)
    print(f"{len(rules)} rules from the answers alone; they say what {targets.metrics['grounded']:.1%} of the pictures show")
    torch.manual_seed(seed)
    net, random = network(), np.random.default_rng(seed)
    optimiser = torch.optim.Adam(net.parameters(), 2e-3)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 4e-3, total_steps=steps)
    for step in range(steps):
        if step in (steps // 4, steps // 2):  # The network says what the rules leave open.
            targets = grounder.targets(read(net, images, seen), known)
        usable = targets.mask[seen]
        chosen = random.choice(np.flatnonzero(usable), min(batch, usable.sum()), replace=False)
        x = torch.from_numpy(images[chosen]).float() / 255
        shift = random.integers(-2, 3, 2)
        loss = nn.functional.cross_entropy(net(torch.roll(x, tuple(map(int, shift)), (2, 3))), torch.from_numpy(targets.values[seen][chosen]))
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
    return net, grounder.finish(known, read(net, images, seen))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("boards")
    arguments.add_argument("--train", type=int, default=1000)
    arguments.add_argument("--test", type=int, default=100)
    arguments.add_argument("--steps", type=int, default=600)
    arguments.add_argument("--batch", type=int, default=580)
    arguments.add_argument("--seed", type=int, default=0)
    arguments.add_argument("--mnist", type=Path, default=MNIST)
    asked = arguments.parse_args()
    begun, used = time.time(), time.process_time()
    training = boards(asked.boards, asked.train, last=False)
    images = pictures("train", training[:, 0], asked.seed, asked.mnist)[training[:, 0] > 0]
    net, rules = train(training, images, asked.steps, asked.batch, asked.seed)
    print(f"{len(rules)} rules of rank {rules.rank} from everything, after {time.time() - begun:.0f} s ({time.process_time() - used:.0f} s of CPU)")
    print(rules)
    test = boards(asked.boards, asked.test, last=True)
    seen = test[:, 0] > 0
    p = read(net, pictures("t10k", test[:, 0], asked.seed + 1, asked.mnist)[seen], seen)
    decoded = preceptron.Reasoner(rules).decode(p, confidence=True)
    right = (decoded.symbols + 1 == test[:, 1]).all(axis=1)
    readings = (p[seen].argmax(axis=1) + 1 == test[:, 0][seen]).mean()
    print(f"{readings:.2%} of the pictures read right; {right.mean():.1%} of {len(test)} boards solved")
    repaired = [at for at in range(len(test)) if right[at] and decoded.repairs(at)]
    print(f"{len(repaired)} of these by repairing a reading, such as {decoded.repairs(repaired[0])[0] if repaired else 'none'}")


if __name__ == "__main__":
    main()
