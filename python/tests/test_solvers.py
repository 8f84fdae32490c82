"""To CPMpy, OR-Tools, python-sat and Z3 and back: as many solutions as the rules have, on ten sets of rules."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from preceptron import RuleSet, solvers
from preceptron.solvers import _Draft


def rule_sets() -> list[RuleSet]:
    random.seed(11)
    names = [f"x[i {at}]" for at in range(7)]

    def literal() -> str:
        return random.choice(["", "not "]) + random.choice(names)

    def drawn(gates: bool, sets: bool) -> dict[str, Any]:
        variables = random.sample(names, random.randint(1, 5))
        literals = [random.choice(["", "not "]) + name for name in variables]
        sums = random.sample(range(len(literals) + 1), random.randint(1, len(literals))) if sets else None
        rule: dict[str, Any] = {"literals": literals}
        if sums is None:
            low = random.randint(0, len(literals))
            rule.update(min=low, max=random.randint(low, len(literals)))
        else:
            rule["sums"] = sums
        if gates and random.random() < 0.5:
            rule["gate"] = literal()
        return rule

    found = [RuleSet.of(names, [drawn(at % 2 == 1, at % 3 == 1) for _ in range(3)]) for at in range(8)]
    found.append(RuleSet.of(names, [{"literals": names, "sums": [0, 2, 4, 6]}]))
    draft = _Draft()
    for name in names:
        draft.variable(name)
    draft.weighted([(2, 1), (3, -2), (-1, 3)], 1, 4)
    draft.sums([4, 5, 6], [1, 3])
    found.append(draft.finish())
    return found


SETS = rule_sets()


def count(rules: RuleSet) -> int:
    return sum(rules.holds(dict(zip(rules.names, values))) for values in product([False, True], repeat=len(rules.names)))


@pytest.mark.parametrize("at", range(10))
def test_cpmpy(at: int) -> None:
    pytest.importorskip("cpmpy")
    rules = SETS[at]
    model, variables = solvers.to_cpmpy(rules)
    import cpmpy

    # Variables that no rule has are free: said, so that the solver counts them.
    model += cpmpy.sum(list(variables.values())) >= 0
    assert model.solveAll(solver="ortools") == count(rules)
    back = solvers.from_cpmpy(solvers.to_cpmpy(rules)[0])
    assert count(back) << (len(rules.names) - len(back.names)) == count(rules)


@pytest.mark.parametrize("at", range(10))
def test_ortools(at: int) -> None:
    pytest.importorskip("ortools")
    from ortools.sat.python import cp_model

    rules = SETS[at]
    model, variables = solvers.to_ortools(rules)

    class Counter(cp_model.CpSolverSolutionCallback):
        def __init__(self) -> None:
            super().__init__()
            self.seen: set[tuple[int, ...]] = set()

        def on_solution_callback(self) -> None:
            self.seen.add(tuple(int(self.value(variable)) for variable in variables.values()))

    solver, counter = cp_model.CpSolver(), Counter()
    solver.parameters.enumerate_all_solutions = True
    solver.solve(model, counter)
    assert len(counter.seen) == count(rules)
    assert count(solvers.from_ortools(model)) == count(rules)


@pytest.mark.parametrize("at", range(10))
def test_pysat(at: int) -> None:
    pytest.importorskip("pysat")
    from pysat.solvers import Cadical153

    rules = SETS[at]
    formula, numbers = solvers.to_pysat(rules)
    assert list(numbers.values()) == list(range(1, 8))
    with Cadical153(bootstrap_with=formula.clauses) as solver:
        found = 0
        while solver.solve():
            found += 1
            model = {abs(literal): literal for literal in solver.get_model()}
            solver.add_clause([-model.get(number, number) for number in numbers.values()])
    assert found == count(rules)
    if formula.nv <= 7:
        back = solvers.from_pysat(formula, rules.names)
        assert back.names == rules.names and count(back) == count(rules)


@pytest.mark.parametrize("at", range(10))
def test_z3(at: int) -> None:
    z3 = pytest.importorskip("z3")
    rules = SETS[at]
    solver, variables = solvers.to_z3(rules)
    back = solvers.from_z3(solver, rules.names)
    found = 0
    while solver.check() == z3.sat:
        found += 1
        model = solver.model()
        values = [z3.is_true(model.eval(variable, model_completion=True)) for variable in variables.values()]
        solver.add(z3.Or([variable != value for variable, value in zip(variables.values(), values)]))
    assert found == count(rules)
    assert back.names == rules.names and count(back) == count(rules)


def test_bounds_of_pysat() -> None:
    formula = pytest.importorskip("pysat.formula")
    cnf = formula.CNFPlus()
    cnf.extend([[1, 2], [-1, 3]])
    cnf.append([[1, 2, 3], 2], is_atmost=True)
    assert count(solvers.from_pysat(cnf)) == 3
