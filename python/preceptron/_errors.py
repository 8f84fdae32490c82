"""Exceptions: the program's words as Python has errors."""

from __future__ import annotations

from typing import Any

from ._native import PreceptronError

__all__ = ["Interrupted", "PreceptronError"]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C ended a search; ``found`` is what it had found until then."""

    def __init__(self, found: Any) -> None:
        super().__init__("stopped by Ctrl-C; what was found until then is in .found")
        self.found = found


PreceptronError.__module__ = "preceptron"
