"""Learning from partitions that are elsewhere, or that memory does not hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from . import _native
from ._errors import Interrupted, PreceptronError
from ._learn import READING, LearnedRules
from ._progress import Progress, shown
from ._tables import columns_of, options

__all__ = ["learn_partitions", "work"]


def work(job: bytes, partition: int, rows: Any, **how: Any) -> bytes:
    """Does a job on the rows of a partition, wherever they are, and returns what is to be sent back.

    ``rows`` is what :func:`preceptron.read_table` takes, but for a path; ``how`` are its settings.
    """
    read = options(**how)
    name = f"partition {partition}"
    return _native.work(job, partition, name, columns_of(name, rows, read), read)


def learn_partitions(
    run: Callable[[bytes], Sequence[bytes]],
    partitions: int,
    *,
    rows: int | None = None,
    threads: int = 0,
    progress: bool | Progress = False,
    source: str = "partitions",
    **settings: Any,
) -> LearnedRules:
    """Learns the rules that hold in all partitions of a table.

    ``run`` is called a few times with a job; it calls :func:`work` with that job on every partition, anywhere and in any
    order, and returns what these calls returned, in the partitions' order. Work that was lost can be done again. Rules are
    looked for in ``rows`` of the rows (250,000 if left out), then counted in all of them; rows that break a rule join the
    others until none does. The result depends neither on the number of partitions nor on who works on them. Other
    arguments are those of :func:`preceptron.learn`, but for given rules.

    >>> parts = [{"a": [1, 0, 0] * n, "b": [0, 1, 0] * n, "c": [0, 0, 1] * n} for n in (5, 15)]
    >>> rules = learn_partitions(lambda job: [work(job, at, part) for at, part in enumerate(parts)], 2)
    >>> print(rules)
    exactly 1 of a, b, c
    """
    reading = options(**{key: settings.pop(key) for key in READING if key in settings})
    settings = {key: value for key, value in settings.items() if value is not None}
    try:
        text = json.dumps(settings)
    except TypeError as error:
        raise PreceptronError(f"settings: {error}") from None

    def all_of(job: bytes) -> list[bytes]:
        return [bytes(outcome) for outcome in run(job)]

    with shown(progress) as tell:
        found, said, stopped = _native.learn_partitions(
            all_of, partitions, reading, text, source, rows, threads, tell
        )
    learned = LearnedRules(found, json.loads(said))
    if isinstance(stopped, KeyboardInterrupt):
        raise Interrupted(learned) from stopped
    if stopped is not None:
        raise stopped
    return learned

