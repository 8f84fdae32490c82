"""Preceptron learns the rules that hold in a table of examples, reasons by rules exactly, and trains networks that read
symbols by them.

>>> import preceptron
>>> shifts = [{"early": d % 3 == 0, "late": d % 3 == 1, "off": d % 3 == 2, "spare": d % 7 < 3} for d in range(60)]
>>> rules = preceptron.learn(shifts)
>>> for rule in rules:
...     print(rule.text)
exactly 1 of early, late, off
>>> preceptron.Reasoner(rules).solve({"early": False, "off": False}).true
['late']
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._native import __version__

if TYPE_CHECKING:
    from ._errors import Interrupted, PreceptronError
    from ._grounder import Grounder, Targets
    from ._learn import LearnedRules, learn
    from ._parts import learn_partitions, work
    from ._reason import Answer, Decoded, Reasoner, Repair
    from ._rules import Certificate, Comparison, Evidence, Family, Rule, RuleSet, Violations, Witness
    from ._run import Run
    from ._tables import Table, names, read_table
    from .sklearn import RuleLearner

__all__ = [
    "Answer",
    "Certificate",
    "Comparison",
    "Decoded",
    "Evidence",
    "Family",
    "Grounder",
    "Interrupted",
    "LearnedRules",
    "PreceptronError",
    "Reasoner",
    "Repair",
    "Rule",
    "RuleLearner",
    "RuleSet",
    "Run",
    "Table",
    "Targets",
    "Violations",
    "Witness",
    "__version__",
    "learn",
    "learn_partitions",
    "names",
    "read_table",
    "work",
]


_MODULES = {
    "_errors": ("Interrupted", "PreceptronError"),
    "_grounder": ("Grounder", "Targets"),
    "_learn": ("LearnedRules", "learn"),
    "_parts": ("learn_partitions", "work"),
    "_reason": ("Answer", "Decoded", "Reasoner", "Repair"),
    "_rules": ("Certificate", "Comparison", "Evidence", "Family", "Rule", "RuleSet", "Violations", "Witness"),
    "_run": ("Run",),
    "_tables": ("Table", "names", "read_table"),
    "sklearn": ("RuleLearner",),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Each part is imported by whoever asks for it first."""
    if name not in _WHERE:
        raise AttributeError(f"module 'preceptron' has no attribute {name!r}")
    found = getattr(import_module(f".{_WHERE[name]}", __name__), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return __all__
