"""Runs of the program, opened in Python."""

from __future__ import annotations

import json
import os
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._errors import PreceptronError
from ._rules import RuleSet

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd

KINDS = {"F64": "<f8", "F32": "<f4", "F16": "<f2", "I64": "<i8", "I32": "<i4", "I16": "<i2", "I8": "<i1", "U64": "<u8",
         "U32": "<u4", "U16": "<u2", "U8": "<u1", "BOOL": "|b1"}  # fmt: skip


class Run:
    """The directory that ``precept train`` leaves behind."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = Path(path)
        if not self.path.exists():
            raise PreceptronError(f"{self.path}: there is no such run")
        if not (self.path / "config.toml").is_file():
            raise PreceptronError(f"{self.path}: is not a run: it has no config.toml")

    @cached_property
    def config(self) -> dict[str, str]:
        """The run's own keys as they are written: id, task, program."""
        keys = {}
        for line in self._text("config.toml").splitlines():
            if line.startswith("["):
                break
            key, found, value = line.partition(" = ")
            if found:
                keys[key] = value.strip('"')
        return keys

    @property
    def task(self) -> str:
        """What was trained."""
        return self.config.get("task", "")

    @property
    def is_finished(self) -> bool:
        """Whether training came to its end."""
        return (self.path / "rules.json").is_file() and not (self.path / "checkpoint").exists()

    @cached_property
    def rules(self) -> RuleSet:
        """The rules that were learned."""
        return RuleSet.read(self.path / "rules.json")

    @property
    def measurements(self) -> list[dict[str, Any]]:
        """What was measured in each step."""
        lines = [json.loads(line) for line in self._text("metrics.jsonl").splitlines()]
        return [line for line in lines if "run" not in line]

    @property
    def metrics(self) -> pd.DataFrame:
        """The same as a frame, a line for each step."""
        import pandas as pd

        frame = pd.DataFrame(self.measurements)
        return frame.set_index("step") if "step" in frame else frame

    @property
    def calibration(self) -> dict[str, Any] | None:
        """How far the network's probabilities can be trusted, if that is known."""
        return self._json("calibration.json")

    @property
    def score(self) -> dict[str, Any] | None:
        """The figures of the last time that the run was scored."""
        return self._json("score.json")

    @cached_property
    def network(self) -> dict[str, np.ndarray[Any, Any]]:
        """The network's weights by name; ``torch.from_numpy`` makes tensors of them."""
        import numpy as np

        file = self.path / "network.safetensors"
        if not file.is_file():
            raise PreceptronError(f"{self.path}: the run has no network")
        data = file.read_bytes()
        size = int.from_bytes(data[:8], "little")
        try:
            header = json.loads(data[8 : 8 + size])
            body = memoryview(data)[8 + size :]
            arrays = {}
            for name, entry in header.items():
                if name != "__metadata__":
                    begin, end = entry["data_offsets"]
                    values = np.frombuffer(body[begin:end], dtype=KINDS[entry["dtype"]])
                    arrays[name] = values.reshape(entry["shape"]).copy()
        except (ValueError, KeyError, TypeError) as error:
            raise PreceptronError(f"{file}: is damaged: {error}") from None
        return arrays

    def solve(self, image: str | os.PathLike[str], *arguments: str, program: str = "precept") -> dict[str, Any]:
        """Has the program read a picture and solve it; ``arguments`` are further flags of ``precept solve``."""
        import subprocess

        command = [program, "solve", os.fspath(self.path), os.fspath(image), "--json", *arguments]
        try:
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        except FileNotFoundError:
            raise PreceptronError(f"the program {program!r} is not here; cargo install --path crates/preceptron-cli") from None
        if done.returncode > 1 or not done.stdout:
            raise PreceptronError(done.stderr.strip().removeprefix("precept: ") or f"{program} ended with {done.returncode}")
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    def _text(self, name: str) -> str:
        file = self.path / name
        if not file.is_file():
            raise PreceptronError(f"{self.path}: the run has no {name}")
        return file.read_text(encoding="utf-8")

    def _json(self, name: str) -> dict[str, Any] | None:
        if not (self.path / name).is_file():
            return None
        found = json.loads(self._text(name))
        return found.get("value", found) if isinstance(found, dict) else None

    def __repr__(self) -> str:
        return f"<preceptron.Run {str(self.path)!r}: {self.task}>"
