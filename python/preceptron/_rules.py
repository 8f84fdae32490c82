"""Rules as objects: read, written, explained, lifted, compared, certified, held against tables."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from ._errors import PreceptronError
from ._native import Rules as NativeRules
from ._tables import read_table

if TYPE_CHECKING:
    import pandas as pd

    from ._reason import Reasoner


@dataclass(frozen=True)
class Evidence:
    """What examples say of a rule."""

    examples: int = 0
    """The examples that decide it."""
    satisfied: int = 0
    violated: int = 0
    undecided: int = 0
    """Examples that do not show enough to decide it."""
    situations: int = 0
    """The different ways in which it is satisfied."""
    expected_violations: float = 0.0
    """How many would violate it if the variables were independent."""

    @property
    def support(self) -> float:
        """The share of deciding examples that satisfy it."""
        return self.satisfied / self.examples if self.examples else 1.0


@dataclass(frozen=True)
class Rule:
    """How many of some literals may be true."""

    id: str
    """A hash of what it says."""
    text: str
    """What it says, in a sentence."""
    literals: tuple[str, ...]
    """Names of variables, with ``not`` before them where they count if they are false."""
    numbers: tuple[int, ...]
    """The same as numbers from 1, negative for a negation."""
    sums: tuple[int, ...]
    """The numbers of true literals that are allowed."""
    gate: str | None = None
    """The literal under which it holds; nothing if always."""
    origin: str = "given"
    """``learned``, ``given`` or ``encoding``."""
    by: str | None = None
    """What found it."""
    evidence: Evidence = field(default=Evidence())
    evidence_text: str = ""

    def __str__(self) -> str:
        return self.text

    @property
    def gate_number(self) -> int | None:
        """The gate as a number; see :attr:`numbers`."""
        return self._gate_number

    _gate_number: int | None = None

    @property
    def is_equality(self) -> bool:
        """Whether one sum alone is allowed, always."""
        return self.gate is None and len(self.sums) == 1


@dataclass(frozen=True)
class Family:
    """Rules that say the same thing at different places."""

    text: str
    evidence: str
    members: tuple[Rule, ...]
    expected: int
    """How many there would be if none were missing."""
    missing: tuple[str, ...]
    """The places where the rule could be and is not."""
    least_support: float

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Comparison:
    """Which rules two sets have in common, by the names of their variables."""

    equal: tuple[str, ...]
    missing: tuple[str, ...]
    """Rules of the other set alone."""
    extra: tuple[str, ...]
    """Rules of this set alone."""
    unknown_names: tuple[str, ...]
    is_equal: bool

    def __bool__(self) -> bool:
        return self.is_equal


@dataclass(frozen=True)
class Witness:
    """A rule that the other set does not imply, and an assignment that obeys that set and violates the rule."""

    rule: str
    true: tuple[str, ...]
    """The variables that are true; all others are false."""


@dataclass(frozen=True)
class Certificate:
    """Whether two sets of rules say the same, proved both ways."""

    is_equivalent: bool
    is_complete: bool
    """Whether every rule was decided in time."""
    missing: tuple[Witness, ...]
    """Rules of the other set that this one does not imply."""
    extra: tuple[Witness, ...]
    """Rules of this set that the other does not imply."""

    def __bool__(self) -> bool:
        return self.is_equivalent


@dataclass(frozen=True)
class Violations:
    """The rows of a table that violate rules."""

    rules: tuple[Rule, ...]
    rows: tuple[tuple[int, ...], ...]
    """For each rule the rows that violate it, from 0."""
    evidence: tuple[tuple[int, int, int, int], ...]
    """For each rule how many rows decide it, satisfy it, violate it, and leave it open."""
    examples: int

    def __len__(self) -> int:
        return sum(map(len, self.rows))

    def __iter__(self) -> Iterator[tuple[int, Rule]]:
        """Each violation: the row and the rule, row by row."""
        pairs = ((row, at) for at, rows in enumerate(self.rows) for row in rows)
        return iter([(row, self.rules[at]) for row, at in sorted(pairs)])

    def per_row(self) -> list[int]:
        """How many rules each row violates."""
        counts = [0] * self.examples
        for rows in self.rows:
            for row in rows:
                counts[row] += 1
        return counts

    def to_pandas(self) -> pd.DataFrame:
        """A line for each violation."""
        import pandas as pd

        return pd.DataFrame([(row, rule.id, rule.text) for row, rule in self], columns=["row", "rule", "text"])


class RuleSet(Sequence[Rule]):
    """Rules over named variables. They do not change.

    >>> rules = RuleSet.of(["a", "b", "c"], [{"literals": ["a", "b", "c"], "sums": 1}, {"literals": ["a", "not b"], "min": 1}])
    >>> print(rules)
    exactly 1 of a, b, c
    if b then a
    >>> rules[0].sums, rules.rank
    ((1,), 2)
    """

    _native: NativeRules

    def __init__(self, native: NativeRules) -> None:
        """Use :meth:`read`, :meth:`parse` or :meth:`of`."""
        if not isinstance(native, NativeRules):
            raise TypeError("RuleSet.read(path), RuleSet.parse(text) and RuleSet.of(names, rules) make rules")
        self._native = native

    @classmethod
    def read(cls, path: str | os.PathLike[str], format: str | None = None) -> RuleSet:
        """Rules of a file: json, opb, wcnf, cnf, smt2, mzn or lp, by its name unless ``format`` says otherwise."""
        return RuleSet(NativeRules.read(path, format))

    @classmethod
    def parse(cls, text: str, format: str = "json") -> RuleSet:
        """Rules of a text."""
        return RuleSet(NativeRules.parse(text, format))

    @classmethod
    def of(cls, names: Sequence[str], rules: Iterable[Mapping[str, Any]] = ()) -> RuleSet:
        """Rules by hand. Each says ``literals`` (names, with ``not`` before them for a negation, or numbers from 1), and how
        many of them may be true: ``sums`` (a number or several), or ``min`` and ``max``; perhaps a ``gate``, the literal
        under which it holds.
        """
        number = {name: at for at, name in enumerate(names, 1)}

        def literal(name: str | int) -> int:
            if not isinstance(name, str):
                return int(name)
            if name in number:
                return number[name]
            if name.startswith("not ") and name[4:] in number:
                return -number[name[4:]]
            raise PreceptronError(f"there is no variable {name!r}")

        written = []
        for at, rule in enumerate(rules, 1):
            unknown = set(rule) - {"literals", "sums", "min", "max", "gate"}
            if unknown or "literals" not in rule:
                raise PreceptronError(f"rule {at}: expected literals, sums or min and max, gate; found {', '.join(rule)}")
            literals = [literal(name) for name in rule["literals"]]
            sums: Any = rule.get("sums")
            if sums is None:
                sums = {"range": [rule.get("min", 0), rule.get("max", len(literals))]}
            else:
                sums = {"set": [sums] if isinstance(sums, int) else sorted(set(sums))}
            entry: dict[str, Any] = {"literals": literals, "sums": sums}
            if rule.get("gate") is not None:
                entry["gate"] = literal(rule["gate"])
            written.append(entry)
        file = {"format": "precept rules", "version": 1, "variables": {"names": list(names)}, "rules": written}
        return cls.parse(json.dumps(file))

    @cached_property
    def _file(self) -> dict[str, Any]:
        loaded: dict[str, Any] = json.loads(self._native.json())
        return loaded

    @cached_property
    def _rules(self) -> tuple[Rule, ...]:
        names = self.names

        def name(number: int) -> str:
            return names[number - 1] if number > 0 else f"not {names[-number - 1]}"

        def rule(entry: dict[str, Any], text: str, line: str) -> Rule:
            origin, sums = entry["origin"], entry["sums"]
            by = origin["learned"]["by"] if isinstance(origin, dict) else None
            gate = entry.get("gate")
            return Rule(
                id=entry["id"],
                text=text,
                literals=tuple(map(name, entry["literals"])),
                numbers=tuple(entry["literals"]),
                sums=tuple(sums["set"] if "set" in sums else range(sums["range"][0], sums["range"][1] + 1)),
                gate=None if gate is None else name(gate),
                _gate_number=gate,
                origin="learned" if by is not None else origin,
                by=by,
                evidence=Evidence(**entry["evidence"]),
                evidence_text=line,
            )

        lines = zip(self._file["rules"], self._native.sentences(), self._native.evidence_lines())
        return tuple(rule(*line) for line in lines)

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The names of the variables."""
        return tuple(self._native.names())

    @property
    def notes(self) -> dict[str, str]:
        """Where the rules come from."""
        return dict(self._file.get("notes", {}))

    @property
    def linear(self) -> list[dict[str, Any]]:
        """Weighted linear constraints beside the rules: ``terms`` of coefficient and literal, ``min``, ``max``."""
        return list(self._file.get("linear", []))

    @property
    def relative(self) -> tuple[str, ...]:
        """Relative rules, which are not yet put on variables, in words."""
        return tuple(self._native.relative())

    @cached_property
    def rank(self) -> int:
        """The rank of the rules' rows over the rationals."""
        return self._native.rank()

    @cached_property
    def equality_rank(self) -> int:
        """The same of those that allow one sum alone."""
        return self._native.equality_rank()

    def __len__(self) -> int:
        return len(self._native)

    @overload
    def __getitem__(self, at: int) -> Rule: ...
    @overload
    def __getitem__(self, at: slice) -> RuleSet: ...
    def __getitem__(self, at: int | slice) -> Rule | RuleSet:
        if isinstance(at, slice):
            return RuleSet(self._native.subset(list(range(*at.indices(len(self))))))
        return self._rules[at]

    def find(self, id: str) -> Rule:
        """The rule whose id begins so."""
        found = [rule for rule in self._rules if rule.id.startswith(id.lower())]
        if len(found) != 1:
            raise PreceptronError(f"{len(found) or 'no'} rules' ids begin with {id!r}")
        return found[0]

    def filter(self, keep: Any) -> RuleSet:
        """The rules for which ``keep(rule)`` is true."""
        return RuleSet(self._native.subset([at for at, rule in enumerate(self._rules) if keep(rule)]))

    @cached_property
    def families(self) -> tuple[Family, ...]:
        """Many rules in few lines, the most telling first, then single rules."""
        rules = self._rules

        def family(line: str, evidence: str, members: list[int], expected: int, missing: list[str], least: float) -> Family:
            return Family(line, evidence, tuple(rules[at] for at in members), expected, tuple(missing), least)

        return tuple(family(*entry) for entry in self._native.families())

    def explain(self, rule: Rule | str | int) -> str:
        """A rule in a sentence, drawn where its axes make a grid, with its evidence."""
        at = rule if isinstance(rule, int) else self._rules.index(self.find(rule.id if isinstance(rule, Rule) else rule))
        one = self._rules[at]
        drawing = self._native.drawing(at % len(self))
        parts = [one.text, *([drawing.rstrip("\n")] if drawing else [])]
        if one.origin == "learned":
            parts.append(f"Learned ({one.by}): {one.evidence_text}")
        elif one.origin == "encoding":
            parts.append("A consequence of how the columns were encoded.")
        else:
            parts.append("Given, not learned.")
        return "\n\n".join(parts)

    def compare(self, other: RuleSet) -> Comparison:
        """Which rules both sets have, by the names of their variables."""
        found = json.loads(self._native.compare(_of(other)._native))
        texts = {key: tuple(rule["text"] for rule in found[key]) for key in ("equal", "missing", "extra")}
        return Comparison(**texts, unknown_names=tuple(found["unknown_names"]), is_equal=found["is_equal"])

    def certify(self, other: RuleSet, time: float | None = None) -> Certificate:
        """Proves that the same assignments obey both sets, or shows one that does not; within so many seconds."""
        found = json.loads(self._native.certify(_of(other)._native, time))
        sides = {key: tuple(Witness(w["text"], tuple(w["true"])) for w in found[key]) for key in ("missing", "extra")}
        return Certificate(found["is_equivalent"], found["is_complete"], **sides)

    def redundant(self, time: float | None = None) -> tuple[Rule, ...]:
        """Rules that the others imply: without all of them the rules say the same."""
        dropped, open = self._native.redundant(time)
        if open:
            raise PreceptronError(f"the time was over before it was known whether the first {open} rules are redundant")
        return tuple(self._rules[at] for at in dropped)

    def violations(self, table: Any, **how: Any) -> Violations:
        """The rows of a table that violate rules; settings as for :func:`read_table`.

        >>> rules = RuleSet.of(["a", "b"], [{"literals": ["a", "b"], "max": 1}])
        >>> rules.violations([{"a": 1, "b": 0}, {"a": 1, "b": 1}]).rows
        ((1,),)
        """
        table = read_table(table, **how)
        found = self._native.violations(table)
        rows, counts = tuple(tuple(rows) for rows, _ in found), tuple((c[0], c[1], c[2], c[3]) for _, c in found)
        return Violations(self._rules, rows, counts, table.examples)

    def holds(self, assignment: Mapping[str, bool]) -> bool:
        """Whether an assignment of all variables obeys the rules."""
        missing = [name for name in self.names if name not in assignment]
        if missing:
            raise PreceptronError(f"the assignment has no value for {missing[0]!r}")
        return self._native.holds(bytes(bool(assignment[name]) for name in self.names))

    def reasoner(self, backend: str = "portfolio") -> Reasoner:
        """The rules loaded to be asked."""
        from ._reason import Reasoner

        return Reasoner(self, backend)

    def to_text(self, format: str = "json") -> str:
        """The rules in a format: json, opb, wcnf, cnf, smt2, mzn or lp."""
        return self._native.write(format)

    def write(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        """Writes the rules to a file, in the format of its name unless ``format`` says otherwise."""
        chosen = format or Path(path).suffix.removeprefix(".")
        if not chosen:
            raise PreceptronError(f"{os.fspath(path)}: no format is known by that name; say which")
        Path(path).write_text(self._native.write(chosen), encoding="utf-8", newline="")

    def to_pandas(self) -> pd.DataFrame:
        """A line for each rule."""
        import pandas as pd

        columns = ["id", "text", "origin", "by", "support", "examples", "violated", "expected_violations", "situations"]
        lines = [
            (r.id, r.text, r.origin, r.by, r.evidence.support, r.evidence.examples, r.evidence.violated,
             r.evidence.expected_violations, r.evidence.situations)
            for r in self._rules
        ]  # fmt: skip
        return pd.DataFrame(lines, columns=columns)

    def __str__(self) -> str:
        return "\n".join([*(family.text for family in self.families), *self.relative])

    def __repr__(self) -> str:
        return f"<preceptron.{type(self).__name__}: {len(self)} rules over {len(self.names)} variables>"

    def _repr_html_(self) -> str:
        from ._html import rules_html

        return rules_html(self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, RuleSet) and self._native.json() == other._native.json()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return (_unpickled, (self._native.json(),))


def _unpickled(text: str) -> RuleSet:
    return RuleSet(NativeRules.parse(text, "json"))


def _of(rules: object) -> RuleSet:
    """Rules, or what to do about something else."""
    if isinstance(rules, RuleSet):
        return rules
    raise PreceptronError(f"expected rules, not {type(rules).__name__}; RuleSet.read and RuleSet.of make some")
