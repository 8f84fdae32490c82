"""Learning rules from a table."""

from __future__ import annotations

import json
import os
from typing import Any

from . import _native
from ._errors import Interrupted, PreceptronError
from ._progress import Progress, shown
from ._rules import RuleSet
from ._tables import read_table, source_of

READING = ("binary", "derive", "value_axis", "ignore", "delimiter", "header", "names", "categorical")


class LearnedRules(RuleSet):
    """Rules that were learned, and what there is to say about them."""

    _said: dict[str, Any]

    def __init__(self, native: _native.Rules, said: dict[str, Any]) -> None:
        super().__init__(native)
        self._said = said

    @property
    def verdict(self) -> dict[str, Any]:
        """Is this enough data? What is proved and what is not, by name."""
        return dict(self._said["verdict"])

    @property
    def is_enough(self) -> bool:
        """Whether no rule over as few columns as were looked at is missing."""
        return bool(self._said["verdict"]["enough"])

    @property
    def sentences(self) -> tuple[str, ...]:
        """The verdict in sentences."""
        return tuple(self._said["sentences"])

    @property
    def is_found(self) -> bool:
        """Whether a rule was learned."""
        return bool(self._said["found"])

    @property
    def report(self) -> dict[str, Any]:
        """How the search went."""
        return dict(self._said["report"])

    @property
    def dropped(self) -> list[dict[str, Any]]:
        """Candidates that are not among the rules, and why."""
        return list(self._said["dropped"])

    @property
    def table(self) -> dict[str, Any]:
        """What the table was like: examples, variables, the share observed, notes."""
        return dict(self._said["table"])

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickled, (self._native.json(), self._said))


def _unpickled(text: str, said: dict[str, Any]) -> LearnedRules:
    return LearnedRules(_native.Rules.parse(text, "json"), said)


def learn(
    table: Any,
    *,
    given: RuleSet | str | os.PathLike[str] | None = None,
    given_soft: bool = False,
    threads: int = 0,
    progress: bool | Progress = False,
    source: str | None = None,
    **settings: Any,
) -> LearnedRules:
    """Learns the rules that hold in a table of examples: one row for each example, one column for each variable.

    ``table`` is whatever :func:`read_table` takes, with its settings. ``given`` has rules that are known: what they imply is
    not learned; with ``given_soft`` the table decides whether they stand. The result does not depend on ``threads`` (0 for
    all cores). ``progress`` shows a bar, or is called with stage, done, total and a note. Other settings are those of
    ``precept learn``, such as ``threshold=0.95`` if the table may have errors. Ctrl-C raises :class:`Interrupted`, which
    has the rules that were found until then.

    >>> table = {"a": [1, 0, 0] * 20, "b": [0, 1, 0] * 20, "c": [0, 0, 1] * 20}
    >>> rules = learn(table)
    >>> print(rules)
    exactly 1 of a, b, c
    >>> rules.is_enough
    True
    """
    reading = {key: settings.pop(key) for key in READING if key in settings}
    settings = {key: value for key, value in settings.items() if value is not None}
    read = read_table(table, **reading)
    given_name = None
    if given is not None and not isinstance(given, RuleSet):
        given_name = os.fspath(given)
        given = RuleSet.read(given)
    elif given is not None:
        given_name = given.notes.get("source", "RuleSet")
    try:
        text = json.dumps(settings)
    except TypeError as error:
        raise PreceptronError(f"settings: {error}") from None
    with shown(progress) as tell:
        rules, said, stopped = _native.learn(
            read,
            text,
            source_of(table) if source is None else source,
            None if given is None else given._native,
            given_name,
            given_soft,
            threads,
            tell,
        )
    found = LearnedRules(rules, json.loads(said))
    if isinstance(stopped, KeyboardInterrupt):
        raise Interrupted(found) from stopped
    if stopped is not None:
        raise stopped
    return found
