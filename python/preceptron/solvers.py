"""Rules to other people's solvers and back: CPMpy, OR-Tools CP-SAT, python-sat, Z3.

Each ``to_`` gives the solver's own object and its variables by name; each ``from_`` reads what is about Boolean variables:
clauses, implications by one literal, and sums of literals with whole coefficients that are compared with a number.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from ._errors import PreceptronError
from ._rules import RuleSet

Literal = int
Term = tuple[int, int]


class _Draft:
    """Rules while they are read: names in the order in which they come."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self.rules: list[dict[str, Any]] = []
        self.linear: list[dict[str, Any]] = []

    def variable(self, name: str) -> Literal:
        return self.names.setdefault(name, len(self.names) + 1)

    def clause(self, literals: Iterable[Literal]) -> None:
        once = set(literals)
        if not any(-literal in once for literal in once):
            self.sums(sorted(once, key=abs), range(1, len(once) + 1))

    def sums(self, literals: list[Literal], sums: Iterable[int], gate: Literal | None = None) -> None:
        entry: dict[str, Any] = {"literals": literals, "sums": {"set": sorted(s for s in sums if s >= 0)}}
        if gate is not None:
            entry["gate"] = gate
        self.rules.append(entry)

    def weighted(self, terms: Iterable[Term], least: int | None, most: int | None, gate: Literal | None = None) -> None:
        """A sum of coefficients of true literals between two numbers."""
        merged: dict[int, int] = {}
        shift = 0
        for coefficient, literal in terms:
            # c (not x) = c - c x
            shift += coefficient if literal < 0 else 0
            merged[abs(literal)] = merged.get(abs(literal), 0) + (coefficient if literal > 0 else -coefficient)
        merged = {var: coefficient for var, coefficient in merged.items() if coefficient}
        least = None if least is None else least - shift
        most = None if most is None else most - shift
        sizes = {abs(coefficient) for coefficient in merged.values()}
        if len(sizes) <= 1:
            unit = sizes.pop() if sizes else 1
            literals = [var if coefficient > 0 else -var for var, coefficient in merged.items()]
            below = sum(1 for coefficient in merged.values() if coefficient < 0)
            first = 0 if least is None else max(0, -(-least // unit) + below)
            last = len(literals) if most is None else min(len(literals), most // unit + below)
            self.sums(literals, range(first, last + 1), gate)
            return
        if gate is not None:
            raise PreceptronError("a weighted sum under a condition is not read")
        entry: dict[str, Any] = {"terms": [[coefficient, var] for var, coefficient in merged.items()]}
        entry.update({key: bound for key, bound in (("min", least), ("max", most)) if bound is not None})
        self.linear.append(entry)

    def finish(self) -> RuleSet:
        file: dict[str, Any] = {
            "format": "precept rules",
            "version": 3 if self.linear else 1,
            "variables": {"names": list(self.names)},
            "rules": self.rules,
        }
        if self.linear:
            file["linear"] = self.linear
        return RuleSet.parse(json.dumps(file))


def _ranges(sums: tuple[int, ...]) -> list[tuple[int, int]]:
    """Runs of neighbouring sums."""
    runs: list[tuple[int, int]] = []
    for value in sums:
        if runs and runs[-1][1] + 1 == value:
            runs[-1] = (runs[-1][0], value)
        else:
            runs.append((value, value))
    return runs


# --- CPMpy ---------------------------------------------------------------------------------------------------------------


def to_cpmpy(rules: RuleSet) -> tuple[Any, dict[str, Any]]:
    """A CPMpy model, and its variables by name."""
    import cpmpy as cp

    variables = {name: cp.boolvar(name=name) for name in rules.names}
    listed = list(variables.values())

    def literal(number: int) -> Any:
        return listed[number - 1] if number > 0 else ~listed[-number - 1]

    model = cp.Model()
    for rule in rules:
        total = cp.sum([literal(number) for number in rule.numbers])
        parts = [(total >= low) & (total <= high) if low < high else total == low for low, high in _ranges(rule.sums)]
        body = cp.any(parts) if parts else cp.BoolVal(False)
        model += body if rule.gate_number is None else literal(rule.gate_number).implies(body)
    for entry in rules.linear:
        total = cp.sum([coefficient * literal(number) for coefficient, number in entry["terms"]])
        if "min" in entry:
            model += total >= entry["min"]
        if "max" in entry:
            model += total <= entry["max"]
    return model, variables


def from_cpmpy(model: Any) -> RuleSet:
    """The rules of a CPMpy model over Boolean variables."""
    from cpmpy.transformations.get_variables import get_variables_model
    from cpmpy.transformations.normalize import toplevel_list

    draft = _Draft()
    for variable in get_variables_model(model):
        if not variable.is_bool():
            raise PreceptronError(f"the variable {variable} is a whole number; Boolean ones are read")
        draft.variable(str(variable.name))
    for constraint in toplevel_list(model.constraints, merge_and=False):
        _cpmpy(draft, constraint, None)
    return draft.finish()


def _cpmpy_literal(draft: _Draft, expression: Any) -> Literal | None:
    name = getattr(expression, "name", None)
    if name == "not" and hasattr(expression, "args"):
        inner = _cpmpy_literal(draft, expression.args[0])
        return None if inner is None else -inner
    if type(expression).__name__ == "NegBoolView":
        inner = _cpmpy_literal(draft, expression._bv)
        return None if inner is None else -inner
    if type(expression).__name__ == "_BoolVarImpl":
        return draft.variable(str(name))
    return None


def _cpmpy_terms(draft: _Draft, expression: Any) -> tuple[list[Term], int] | None:
    """A sum as terms and a constant."""
    literal = _cpmpy_literal(draft, expression)
    if literal is not None:
        return [(1, literal)], 0
    if not hasattr(expression, "name") or not hasattr(expression, "args"):
        try:
            return [], int(expression)
        except (TypeError, ValueError):
            return None
    parts: list[tuple[int, Any]]
    if expression.name == "sum":
        parts = [(1, part) for part in expression.args]
    elif expression.name == "wsum":
        parts = [(int(weight), part) for weight, part in zip(*expression.args)]
    elif expression.name == "mul" and not hasattr(expression.args[0], "name"):
        parts = [(int(expression.args[0]), expression.args[1])]
    elif expression.name == "-" and len(expression.args) == 1:
        parts = [(-1, expression.args[0])]
    elif expression.name == "sub":
        parts = [(1, expression.args[0]), (-1, expression.args[1])]
    else:
        return None
    terms: list[Term] = []
    constant = 0
    for weight, part in parts:
        inner = _cpmpy_terms(draft, part)
        if inner is None:
            return None
        terms += [(weight * coefficient, literal) for coefficient, literal in inner[0]]
        constant += weight * inner[1]
    return terms, constant


def _cpmpy_bounds(draft: _Draft, expression: Any) -> tuple[list[Term], int | None, int | None] | None:
    """A comparison as terms between two numbers."""
    if getattr(expression, "name", None) not in ("==", "<=", ">=", "<", ">"):
        return None
    left, right = (_cpmpy_terms(draft, side) for side in expression.args)
    if left is None or right is None:
        return None
    terms = left[0] + [(-coefficient, literal) for coefficient, literal in right[0]]
    bound = right[1] - left[1]
    least = {"==": bound, ">=": bound, ">": bound + 1}.get(expression.name)
    most = {"==": bound, "<=": bound, "<": bound - 1}.get(expression.name)
    return terms, least, most


def _cpmpy(draft: _Draft, expression: Any, gate: Literal | None) -> None:
    if expression is True or str(expression) in ("True", "boolval(True)"):
        return
    literal = _cpmpy_literal(draft, expression)
    if literal is not None:
        draft.sums([literal], [1], gate)
        return
    if str(expression) in ("False", "boolval(False)"):
        draft.sums([], [], gate)
        return
    name, arguments = getattr(expression, "name", ""), getattr(expression, "args", [])
    if name == "and":
        bounds = [_cpmpy_bounds(draft, part) for part in arguments]
        if not all(bounds):
            for part in arguments:
                _cpmpy(draft, part, gate)
            return
        for found in bounds:
            assert found is not None
            draft.weighted(*found, gate)
        return
    if name == "->" and gate is None:
        condition = _cpmpy_literal(draft, arguments[0])
        if condition is not None:
            _cpmpy(draft, arguments[1], condition)
            return
    if name == "or":
        literals = [_cpmpy_literal(draft, part) for part in arguments]
        if all(literal is not None for literal in literals):
            draft.sums([literal for literal in literals if literal is not None], range(1, len(literals) + 1), gate)
            return
        union = _union(draft, [_cpmpy_alternative(draft, part) for part in arguments])
        if union is not None:
            draft.sums(*union, gate)
            return
    found = _cpmpy_bounds(draft, expression)
    if found is not None:
        draft.weighted(*found, gate)
        return
    raise PreceptronError(f"cannot read {str(expression)[:120]}: sums, clauses, and implications by one literal are read")


def _cpmpy_alternative(draft: _Draft, part: Any) -> tuple[tuple[Term, ...], int | None, int | None] | None:
    """What one of several allowed ranges says of a sum."""
    parts = part.args if getattr(part, "name", "") == "and" else [part]
    least = most = terms = None
    for one in parts:
        found = _cpmpy_bounds(draft, one)
        if found is None or (terms is not None and tuple(found[0]) != terms):
            return None
        terms = tuple(found[0])
        least = found[1] if least is None else max(least, found[1] if found[1] is not None else least)
        most = found[2] if most is None else min(most, found[2] if found[2] is not None else most)
    return None if terms is None else (terms, least, most)


Range = tuple[tuple[Term, ...], int | None, int | None]


def _union(draft: _Draft, ranges: list[Range | None]) -> tuple[list[Literal], list[int]] | None:
    """Several ranges of one sum of literals as a set of sums."""
    if not ranges or any(one is None for one in ranges):
        return None
    known = [one for one in ranges if one is not None]
    terms = known[0][0]
    if any(one[0] != terms for one in known) or any(coefficient != 1 for coefficient, _ in terms):
        return None
    literals = [literal for _, literal in terms]
    sums: set[int] = set()
    for _, least, most in known:
        sums |= set(range(least or 0, (len(literals) if most is None else most) + 1))
    return literals, sorted(sums)


# --- OR-Tools CP-SAT -----------------------------------------------------------------------------------------------------


def to_ortools(rules: RuleSet) -> tuple[Any, dict[str, Any]]:
    """A CP-SAT model of OR-Tools, and its variables by name."""
    from ortools.sat.python import cp_model

    model = cp_model.CpModel()
    variables = {name: model.new_bool_var(name) for name in rules.names}
    listed = list(variables.values())

    def literal(number: int) -> Any:
        return listed[number - 1] if number > 0 else listed[-number - 1].negated()

    for rule in rules:
        domain = cp_model.Domain.from_intervals([list(run) for run in _ranges(rule.sums)])
        total = sum((literal(number) for number in rule.numbers), start=0 * listed[0] if listed else 0)
        added = model.add_linear_expression_in_domain(total, domain)
        if rule.gate_number is not None:
            added.only_enforce_if(literal(rule.gate_number))
    for entry in rules.linear:
        total = sum((coefficient * literal(number) for coefficient, number in entry["terms"]), start=0 * listed[0])
        least, most = entry.get("min", cp_model.INT_MIN), entry.get("max", cp_model.INT_MAX)
        model.add_linear_constraint(total, least, most)
    return model, variables


def from_ortools(model: Any) -> RuleSet:
    """The rules of a CP-SAT model over Boolean variables."""
    proto = model.proto if hasattr(model, "proto") else model.Proto()
    draft = _Draft()
    for at, variable in enumerate(proto.variables):
        if list(variable.domain) not in ([0, 1], [0, 0], [1, 1]):
            raise PreceptronError(f"the variable {variable.name or at} is a whole number; Boolean ones are read")
        number = draft.variable(variable.name or f"x{at + 1}")
        if list(variable.domain) != [0, 1]:
            draft.sums([number], [variable.domain[0]])

    def literal(number: int) -> Literal:
        return number + 1 if number >= 0 else number

    for constraint in proto.constraints:
        gates = [literal(number) for number in constraint.enforcement_literal]
        if len(gates) > 1:
            raise PreceptronError("a constraint under several conditions is not read")
        gate = gates[0] if gates else None
        if constraint.has_bool_or():
            literals = list(map(literal, constraint.bool_or.literals))
            draft.sums(literals, range(1, len(literals) + 1), gate)
        elif constraint.has_bool_and():
            literals = list(map(literal, constraint.bool_and.literals))
            draft.sums(literals, [len(literals)], gate)
        elif constraint.has_at_most_one():
            draft.sums(list(map(literal, constraint.at_most_one.literals)), [0, 1], gate)
        elif constraint.has_exactly_one():
            draft.sums(list(map(literal, constraint.exactly_one.literals)), [1], gate)
        elif constraint.has_linear():
            linear = constraint.linear
            terms = [(weight, number + 1) for weight, number in zip(linear.coeffs, linear.vars)]
            bounds = list(linear.domain)
            runs = list(zip(bounds[::2], bounds[1::2]))
            far = 1 << 40
            if len(runs) == 1:
                least, most = (None if abs(bound) > far else bound for bound in runs[0])
                draft.weighted(terms, least, most, gate)
                continue
            # A set of sums: of literals, once signs are moved into them.
            if any(abs(weight) != 1 for weight, _ in terms):
                raise PreceptronError("several ranges of a weighted sum are not read")
            below = sum(1 for weight, _ in terms if weight < 0)
            literals = [number if weight > 0 else -number for weight, number in terms]
            sums = [s + below for low, high in runs for s in range(max(low, -below), min(high, len(terms)) + 1)]
            draft.sums(literals, sums, gate)
        else:
            raise PreceptronError("a constraint that is neither a clause nor a sum is not read")
    return draft.finish()


# --- python-sat ----------------------------------------------------------------------------------------------------------


def to_pysat(rules: RuleSet) -> tuple[Any, dict[str, int]]:
    """Clauses for python-sat, and the numbers of the variables by name. Counters that clauses need come behind these; for
    each assignment of the variables that obeys the rules there is exactly one of theirs."""
    from pysat.formula import CNF

    text = "".join(line for line in rules.to_text("cnf").splitlines(keepends=True) if not line.startswith("c"))
    return CNF(from_string=text), {name: at for at, name in enumerate(rules.names, 1)}


def from_pysat(formula: Any, names: Iterable[str] | None = None) -> RuleSet:
    """The rules of a formula of python-sat: clauses, and bounds on counts where it has some."""
    draft = _Draft()
    given = list(names or [])
    for at in range(max(formula.nv, len(given))):
        draft.variable(given[at] if at < len(given) else f"x{at + 1}")
    for clause in formula.clauses:
        draft.clause(clause)
    for literals, most in getattr(formula, "atmosts", []):
        draft.sums(list(literals), range(most + 1))
    return draft.finish()


# --- Z3 ------------------------------------------------------------------------------------------------------------------


def to_z3(rules: RuleSet) -> tuple[Any, dict[str, Any]]:
    """A solver of Z3, and its variables by name."""
    import z3

    solver = z3.Solver()
    variables = {name: z3.Bool(name) for name in rules.names}
    listed = list(variables.values())

    def literal(number: int) -> Any:
        return listed[number - 1] if number > 0 else z3.Not(listed[-number - 1])

    def between(terms: list[Any], low: int, high: int) -> Any:
        if low == high:
            return z3.PbEq(terms, low)
        return z3.And(z3.PbGe(terms, low), z3.PbLe(terms, high))

    for rule in rules:
        if not rule.numbers:
            body = z3.BoolVal(0 in rule.sums)
        else:
            terms = [(literal(number), 1) for number in rule.numbers]
            body = z3.Or([between(terms, *run) for run in _ranges(rule.sums)])
        solver.add(body if rule.gate_number is None else z3.Implies(literal(rule.gate_number), body))
    for entry in rules.linear:
        terms = [(literal(number), coefficient) for coefficient, number in entry["terms"]]
        if "min" in entry:
            solver.add(z3.PbGe(terms, entry["min"]))
        if "max" in entry:
            solver.add(z3.PbLe(terms, entry["max"]))
    return solver, variables


def from_z3(solver: Any, names: Iterable[str] | None = None) -> RuleSet:
    """The rules of what a solver of Z3 asserts; ``names`` says in which order the variables come."""
    draft = _Draft()
    for name in names or []:
        draft.variable(name)
    for assertion in solver.assertions():
        _z3(draft, assertion, None)
    return draft.finish()


def _z3_literal(draft: _Draft, expression: Any) -> Literal | None:
    import z3

    if z3.is_not(expression):
        inner = _z3_literal(draft, expression.arg(0))
        return None if inner is None else -inner
    if z3.is_const(expression) and expression.decl().kind() == z3.Z3_OP_UNINTERPRETED and z3.is_bool(expression):
        return draft.variable(expression.decl().name())
    return None


def _z3_range(draft: _Draft, expression: Any) -> tuple[tuple[Term, ...], int | None, int | None] | None:
    import z3

    kinds = {z3.Z3_OP_PB_LE, z3.Z3_OP_PB_GE, z3.Z3_OP_PB_EQ, z3.Z3_OP_PB_AT_MOST, z3.Z3_OP_PB_AT_LEAST}
    kind = expression.decl().kind()
    if z3.is_and(expression):
        parts = [_z3_range(draft, part) for part in expression.children()]
        known = [part for part in parts if part is not None]
        if len(known) != len(parts) or any(part[0] != known[0][0] for part in known):
            return None
        lows, highs = [p[1] for p in known if p[1] is not None], [p[2] for p in known if p[2] is not None]
        return known[0][0], max(lows, default=None), min(highs, default=None)
    if kind not in kinds:
        return None
    literals = [_z3_literal(draft, part) for part in expression.children()]
    if any(literal is None for literal in literals):
        return None
    parameters = expression.decl().params()
    bound, weights = parameters[0], parameters[1:] or [1] * len(literals)
    terms = tuple((int(weight), literal) for weight, literal in zip(weights, literals) if literal is not None)
    least = bound if kind in (z3.Z3_OP_PB_GE, z3.Z3_OP_PB_EQ, z3.Z3_OP_PB_AT_LEAST) else None
    most = bound if kind in (z3.Z3_OP_PB_LE, z3.Z3_OP_PB_EQ, z3.Z3_OP_PB_AT_MOST) else None
    return terms, least, most


def _z3(draft: _Draft, expression: Any, gate: Literal | None) -> None:
    import z3

    if z3.is_true(expression):
        return
    if z3.is_false(expression):
        draft.sums([], [], gate)
        return
    literal = _z3_literal(draft, expression)
    if literal is not None:
        draft.sums([literal], [1], gate)
        return
    found = _z3_range(draft, expression)
    if found is not None:
        draft.weighted(*found, gate)
        return
    if z3.is_and(expression):
        for part in expression.children():
            _z3(draft, part, gate)
        return
    if z3.is_implies(expression) and gate is None:
        condition = _z3_literal(draft, expression.arg(0))
        if condition is not None:
            _z3(draft, expression.arg(1), condition)
            return
    if z3.is_or(expression):
        literals = [_z3_literal(draft, part) for part in expression.children()]
        if all(literal is not None for literal in literals):
            draft.sums([literal for literal in literals if literal is not None], range(1, len(literals) + 1), gate)
            return
        union = _union(draft, [_z3_range(draft, part) for part in expression.children()])
        if union is not None:
            draft.sums(*union, gate)
            return
    raise PreceptronError(f"cannot read {str(expression)[:120]}: sums, clauses, and implications by one literal are read")
