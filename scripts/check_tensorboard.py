"""Reads the event files of a run with TensorBoard's own reader and compares them with metrics.jsonl.

    python3 -m venv /tmp/tensorboard && /tmp/tensorboard/bin/pip install tensorboard
    /tmp/tensorboard/bin/python scripts/check_tensorboard.py runs/sudoku-0

Every measurement must be there, under learner/metric and at its step, in single precision; and nothing else.
Measurements that are not finite are null in metrics.jsonl.
"""

import json
import math
import struct
import sys
from pathlib import Path

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator


def single(value):
    """The nearest number of single precision, as the events have it."""
    return struct.unpack("<f", struct.pack("<f", value))[0]


def main():
    if len(sys.argv) != 2:
        sys.exit(f"usage: {sys.argv[0]} RUN")
    run = Path(sys.argv[1])
    expected = {}
    for number, line in enumerate((run / "metrics.jsonl").read_text().splitlines(), 1):
        record = json.loads(line)
        if "step" not in record:
            continue
        for name, value in record.items():
            if name not in ("learner", "step"):
                expected[f"{record['learner']}/{name}", record["step"]] = (value, number)
    accumulator = EventAccumulator(str(run), size_guidance={"scalars": 0})
    accumulator.Reload()
    found = {}
    for tag in accumulator.Tags()["scalars"]:
        for event in accumulator.Scalars(tag):
            if (tag, event.step) in found:
                sys.exit(f"{tag}: step {event.step} is there twice")
            found[tag, event.step] = event.value
    faults = [f"{tag}, step {step}: not in metrics.jsonl" for tag, step in found.keys() - expected.keys()]
    for (tag, step), (value, number) in expected.items():
        there = found.get((tag, step))
        if there is None:
            faults.append(f"line {number}: {tag}, step {step}: not in the events")
        elif math.isfinite(there) != (value is not None) or (value is not None and there != single(value)):
            faults.append(f"line {number}: {tag}, step {step}: {value}, but {there} in the events")
    for fault in faults[:20]:
        print(fault)
    tags = sorted({tag for tag, _ in expected})
    print(f"{len(expected)} measurements ({', '.join(tags)}), {len(faults)} faults")
    sys.exit(bool(faults) or not expected)


if __name__ == "__main__":
    main()
