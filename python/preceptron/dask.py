"""Learning from a frame of Dask: rows stay with the workers, counts come back.

>>> import dask.dataframe as dd  # doctest: +SKIP
>>> import preceptron.dask  # doctest: +SKIP
>>> rules = preceptron.dask.learn(dd.read_parquet("rosters/*.parquet"))  # doctest: +SKIP

A worker that is lost costs the work on its partitions, which Dask has done again elsewhere; the rules are the same. Ray, Spark
and others go the same way: see :func:`preceptron.learn_partitions`.
"""

from __future__ import annotations

from typing import Any

from ._learn import READING, LearnedRules
from ._parts import learn_partitions, work

__all__ = ["learn"]


def learn(frame: Any, **settings: Any) -> LearnedRules:
    """Learns the rules that hold in a Dask frame; settings as for :func:`preceptron.learn_partitions`."""
    import dask

    parts = frame.to_delayed()
    how = {key: settings[key] for key in READING if key in settings}
    on_worker = dask.delayed(work, pure=True)

    def run(job: bytes) -> list[bytes]:
        return list(dask.compute(*(on_worker(job, at, part, **how) for at, part in enumerate(parts))))

    return learn_partitions(run, len(parts), **{"source": "dask.DataFrame", **settings})
