"""Twenty tables of all kinds, as columns of Python values; the same data for every kind of frame."""

from __future__ import annotations

import random
from typing import Any

from preceptron import names


def tables() -> dict[str, dict[str, list[Any]]]:
    random.seed(5)
    rows = range(90)
    coin = lambda p=0.5: [random.random() < p for _ in rows]  # noqa: E731
    pick = lambda *of: [random.choice(of) for _ in rows]  # noqa: E731
    some = lambda values, p=0.1: [None if random.random() < p else value for value in values]  # noqa: E731
    a, b, c = coin(), coin(), pick(0, 1, 2)
    exactly = {f"{name}": [int(v == at) for v in c] for at, name in enumerate(["early", "late", "off"])}
    latin = [[(r + s + k) % 3 for k in range(3)] for r, s in ((random.randrange(3), random.randrange(3)) for _ in rows)]
    grid = {
        name: [int(board[at // 3] == at % 3) for board in latin] for at, name in enumerate(names("cell", column=3, digit=3))
    }
    work = {f"work[nurse {n}, day {d}]": pick("early", "late", "off") for n in (1, 2) for d in (1, 2)}
    work["work[nurse 2, day 2]"] = ["off" if x == "early" else "early" for x in work["work[nurse 1, day 2]"]]
    return {
        "exactly one, whole numbers": {**exactly, "spare": list(map(int, a))},
        "truth values": {"a": a, "b": b, "either": [x or y for x, y in zip(a, b)]},
        "parity": {"a": a, "b": b, "odd": [x != y for x, y in zip(a, b)]},
        "floats of 0 and 1": {"a": [float(x) for x in a], "b": [float(not x) for x in a]},
        "floats": {"size": [[0.5, 1.5, 2.0][x] for x in c], "small": [x == 0 for x in c]},
        "large and small floats": {"size": [[1e15, 0.0001, -123456.75][x] for x in c], "huge": [x == 0 for x in c]},
        "floats with gaps": {"size": some([[0.0, 1.0, 2.0][x] for x in c]), "b": [x == 0 for x in c]},
        "text": {"colour": [["red", "green", "blue"][x] for x in c], "warm": [x == 0 for x in c]},
        "text with gaps": {"colour": some([["red", "green", "blue"][x] for x in c]), "warm": [x == 0 for x in c]},
        "text that says nothing": {"answer": pick("yes", "no", "?", "NA", ""), "b": b},
        "text with commas and brackets": {"a": pick("x, y", "[z]", 'say "so"'), "b": b},
        "text of numbers": {"number": pick("0", "1", "2.0"), "b": b},
        "negative numbers": {"n": [x - 1 for x in c], "b": [x == 0 for x in c]},
        "one value": {"always": [1] * len(rows), "never": [0] * len(rows), "a": a},
        "never observed": {"a": a, "nothing": [None] * len(rows)},
        "truth values with gaps": {"a": some(a), "b": [not x for x in a]},
        "a grid": grid,
        "a roster": work,
        "indices": {f"x({i}_{j})": [int(i == j) if v else int((i + j) % 2) for v in a] for i in range(2) for j in range(3)},
        "everything": {
            "n": c, "b": b, "colour": pick("red", "blue"), "gaps": some(coin()), "not b": [not x for x in b],
            "name with é": some(pick("ä", "ö")), **exactly,
        },
    }  # fmt: skip
