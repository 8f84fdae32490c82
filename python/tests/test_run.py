"""Runs of the program, opened in Python."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from preceptron import PreceptronError, Run

PROGRAM = os.environ.get("PRECEPT") or shutil.which("precept")


@pytest.mark.skipif(PROGRAM is None, reason="the program makes runs")
def test_a_run_of_the_program(tmp_path: Path) -> None:
    path = tmp_path / "run"
    sizes = ["--order", "2", "--train", "150", "--test", "10", "--steps", "20", "--threads", "1"]
    subprocess.run([str(PROGRAM), "train", "sudoku", *sizes, "--out", path], check=True, capture_output=True)
    run = Run(path)
    assert run.task == "sudoku" and run.is_finished and run.score is not None
    assert run.rules.rank == 40 and run.rules.notes["run"] == run.config["id"]
    assert run.metrics.index.max() == 20 and "loss" in run.metrics
    assert run.calibration is not None and run.calibration["temperature"] > 0
    weights = run.network
    assert all(np.isfinite(values).all() for values in weights.values()) and sum(v.size for v in weights.values()) > 1000
    # The program's own words, where it cannot.
    with pytest.raises(PreceptronError, match="^a run on boards of 4 x 4; pictures are read of those of 9 x 9"):
        run.solve(tmp_path / "board.png", program=str(PROGRAM))


def test_what_is_not_there(tmp_path: Path) -> None:
    (tmp_path / "config.toml").write_text('id = "1"\ntask = "sudoku"\n')
    run = Run(tmp_path)
    assert run.task == "sudoku" and not run.is_finished and run.score is None
    for part in ("network", "measurements", "rules"):
        with pytest.raises(PreceptronError):
            getattr(run, part)
    (tmp_path / "network.safetensors").write_bytes(b"\x08\0\0\0\0\0\0\0no json!")
    with pytest.raises(PreceptronError, match="is damaged"):
        run.network
    with pytest.raises(PreceptronError, match="is not here"):
        run.solve("board.png", program="no such program")
