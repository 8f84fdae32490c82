#!/usr/bin/env python3
"""Lets independent solvers read the files of the example `write_formats` and checks what they find.

    cargo run -p preceptron-logic --example write_formats /tmp/formats
    scripts/check-formats.py /tmp/formats

Models are counted over the first N variables of each file (the auxiliary ones come after them), and the
optimum is compared where there is an objective. Uses what is installed of z3-solver, python-sat, highspy
and ortools (PyPI) and the program minizinc; names what is missing. Exit code 1 if anything disagrees.
"""

import importlib
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

MODELS_TO_COUNT = 5_000
missing, failures = set(), []


def have(module):
    try:
        return importlib.import_module(module)
    except ImportError:
        missing.add(module)
        return None


def names_in(path, mark):
    """The names in the comments, by symbol."""
    pattern = re.compile(rf"^{re.escape(mark)} name (\S+) (.*)$")
    lines = path.read_text(encoding="utf-8").split("\n")
    return [m.groups() for m in map(pattern.match, lines) if m]


def z3_count(solver, variables):
    import z3

    count = 0
    while count < MODELS_TO_COUNT and solver.check() == z3.sat:
        model = solver.model()
        solver.add(z3.Or([v != model.eval(v, model_completion=True) for v in variables]))
        count += 1
    return count


def smt_variables(path):
    """The declared constants, in order."""
    import z3

    return [z3.Bool(s.strip("|")) for s in re.findall(r"\(declare-const (\|[^|]*\||\S+) Bool\)", path.read_text())]


def check_smt2(path, count, want_optimum):
    z3 = have("z3")
    if not z3:
        return None
    if want_optimum:
        optimize = z3.Optimize()
        optimize.from_file(str(path))
        assert optimize.check() == z3.sat
        model = optimize.model()
        return None, model.eval(optimize.objectives()[0], model_completion=True).as_long()
    solver = z3.Solver()
    solver.from_file(str(path))
    variables = smt_variables(path)
    assert len(variables) == count, f"{len(variables)} constants"
    return z3_count(solver, variables), None


def check_cnf(path, count, _):
    """python-sat and z3 on the same file."""
    results = []
    if have("pysat"):
        from pysat.formula import CNF
        from pysat.solvers import Solver

        with Solver(name="cadical153", bootstrap_with=CNF(from_file=str(path))) as solver:
            models = 0
            while models < MODELS_TO_COUNT and solver.solve():
                solver.add_clause([-l for l in solver.get_model()[:count]] or [1, -1])
                models += 1
        results.append(models)
    z3 = have("z3")
    if z3:
        # Solvers may simplify variables away; clauses are read by hand so that all are there.
        solver = z3.Solver()
        variables = {}
        for line in path.read_text(encoding="utf-8").split("\n"):
            if line and line[0] not in "cp":
                numbers = [int(n) for n in line.split()[:-1]]
                atoms = [variables.setdefault(abs(n), z3.Bool(f"x{abs(n)}")) for n in numbers]
                solver.add(z3.Or([a if n > 0 else z3.Not(a) for a, n in zip(atoms, numbers)]))
        originals = [variables.setdefault(n, z3.Bool(f"x{n}")) for n in range(1, count + 1)]
        results.append(z3_count(solver, originals))
    return (agreed(results), None) if results else None


def check_wcnf(path, count, want_optimum):
    if not have("pysat"):
        return None
    from pysat.examples.rc2 import RC2
    from pysat.formula import WCNF

    formula = WCNF(from_file=str(path))
    if not want_optimum:
        with RC2(formula) as rc2:
            return None, (0 if rc2.compute() is not None and rc2.cost == 0 else None)
    constant = re.search(r"^c objective constant (-?\d+)$", path.read_text(encoding="utf-8"), re.M)
    with RC2(formula) as rc2:
        assert rc2.compute() is not None
        return None, rc2.cost + (int(constant[1]) if constant else 0)


def opb_constraints(path):
    """(weight or None, terms, relation, bound) of every constraint; terms are (coefficient, symbol, sign)."""
    for line in path.read_text(encoding="utf-8").split("\n"):
        if not line or line[0] == "*" or line.startswith("soft:"):
            continue
        line = line.rstrip(" ;")
        weight = None
        if line[0] == "[":
            weight, line = line[1:].split("]", 1)
        if line.startswith("min:"):
            yield "min", opb_terms(line[4:]), None, None
            continue
        left, relation, right = re.split(r"\s(>=|<=|=)\s", line)
        yield (weight and int(weight)), opb_terms(left), relation, int(right)


def opb_terms(text):
    words = text.split()
    return [(int(c), s.lstrip("~"), s[0] == "~") for c, s in zip(words[::2], words[1::2])]


def check_opb(path, count, want_optimum):
    """z3 and OR-Tools on the constraints of the file."""
    results = []
    constant = re.search(r"^\* objective constant (-?\d+)$", path.read_text(encoding="utf-8"), re.M)
    constant = int(constant[1]) if constant else 0
    z3 = have("z3")
    if z3:
        solver = z3.Optimize() if want_optimum else z3.Solver()
        cost = constant
        for weight, terms, relation, bound in opb_constraints(path):
            total = sum((z3.If(z3.Bool(s), 0 if n else c, c if n else 0) for c, s, n in terms), z3.IntVal(0))
            if weight == "min":
                cost = cost + total
                continue
            formula = {">=": total >= bound, "<=": total <= bound, "=": total == bound}[relation]
            if weight is None:
                solver.add(formula)
            else:
                cost = cost + z3.If(formula, 0, weight)
        if want_optimum:
            solver.minimize(cost)
            assert solver.check() == z3.sat
            results.append(solver.model().eval(cost, model_completion=True).as_long())
        else:
            results.append(z3_count(solver, [z3.Bool(f"x{n}") for n in range(1, count + 1)]))
    if want_optimum:
        # OR-Tools and highspy each bring a HiGHS and cannot live in one process.
        command = [sys.executable, __file__, "--ortools", str(path), str(constant)]
        run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode == 0:
            results.append(int(run.stdout))
        else:
            missing.add("ortools")
        return (None, agreed(results)) if results else None
    return (agreed(results), None) if results else None


def ortools_optimum(path, constant):
    from ortools.sat.python import cp_model

    model, variables, cost = cp_model.CpModel(), {}, constant
    for weight, terms, relation, bound in opb_constraints(path):
        total = 0
        for c, s, n in terms:
            v = variables.setdefault(s, model.new_bool_var(s))
            total += c * (1 - v) if n else c * v
        if weight == "min":
            cost += total
            continue
        formula = {">=": total >= bound, "<=": total <= bound, "=": total == bound}[relation]
        if weight is None:
            model.add(formula)
        else:
            held = model.new_bool_var("")
            model.add(formula).only_enforce_if(held)
            cost += weight * (1 - held)
    model.minimize(cost)
    solver = cp_model.CpSolver()
    assert solver.solve(model) == cp_model.OPTIMAL
    return round(solver.objective_value)


def ortools_mps_optimum(path):
    from ortools.linear_solver.python import model_builder

    model, solver = model_builder.Model(), model_builder.Solver("scip")
    assert model.import_from_mps_file(str(path))
    assert solver.solve(model) == model_builder.SolveStatus.OPTIMAL
    return round(solver.objective_value)


def check_lp(path, count, want_optimum):
    """HiGHS reads the file; models are found one after the other, each cut off by a row.

    OR-Tools reads another format under the name LP, that of lp_solve, and refuses what it exports in this one
    itself. It gets the problem as HiGHS writes it in MPS.
    """
    highspy = have("highspy")
    if not highspy:
        return None
    highs = highspy.Highs()
    highs.silent()
    assert highs.readModel(str(path)) == highspy.HighsStatus.kOk
    if want_optimum:
        highs.run()
        results = [round(highs.getInfo().objective_function_value)]
        with tempfile.TemporaryDirectory() as folder:
            mps = Path(folder) / "problem.mps"
            highs.writeModel(str(mps))
            # The two have parts of the same names, and go into one process only one at a time.
            command = [sys.executable, __file__, "--ortools-mps", str(mps)]
            run = subprocess.run(command, capture_output=True, text=True)
        if run.returncode == 0:
            results.append(int(run.stdout))
        elif "No module named" in run.stderr:
            missing.add("ortools")
        else:
            results.append(run.stderr.strip().split("\n")[-1])
        return None, agreed(results)
    columns = {highs.getColName(i)[1]: i for i in range(highs.getNumCol())}
    originals = [columns[f"x{n}"] for n in range(1, count + 1)]
    models = 0
    # A mixed-integer solver starts afresh for each model, so only few are counted this way.
    while models < 300:
        highs.run()
        if highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return models, None
        values = highs.getSolution().col_value
        ones = [i for i in originals if values[i] > 0.5]
        signs = [-1.0 if values[i] > 0.5 else 1.0 for i in originals]
        highs.addRow(1.0 - len(ones), highspy.kHighsInf, len(originals), originals, signs)
        models += 1
    return f"at least {models}", None


def check_mzn(path, count, want_optimum):
    if not shutil.which("minizinc"):
        missing.add("minizinc")
        return None
    names = ", ".join(symbol for symbol, _ in names_in(path, "%")[:count])
    shown = '"\\(cost)\\n"' if want_optimum else f'"\\([{names}])\\n"'
    text = path.read_text(encoding="utf-8") + f"output [{shown}];\n"
    everything = [] if want_optimum else ["--all-solutions"]
    run = subprocess.run(["minizinc", "--solver", "gecode", *everything, "--input-from-stdin"],
                         input=text, capture_output=True, text=True, check=True)
    lines = [l for l in run.stdout.split("\n") if l and l[0] in "[-0123456789" and not l.startswith("---")]
    if want_optimum:
        return None, int(lines[-1])
    return len(set(lines)), None


def agreed(results):
    return results[0] if len(set(results)) == 1 else f"disagree: {results}"


CHECKS = {"smt2": check_smt2, "cnf": check_cnf, "wcnf": check_wcnf, "opb": check_opb, "lp": check_lp,
          "mzn": check_mzn}
MARKS = {"opb": "*", "cnf": "c", "wcnf": "c", "lp": "\\", "mzn": "%"}


def main(directory):
    passed = 0
    for line in (directory / "expected.txt").read_text().splitlines()[1:]:
        name, count, models, optimum = line.split()
        count, models = int(count), int(models)
        optimum = None if optimum == "-" else int(optimum)
        for extension, check in CHECKS.items():
            path = directory / f"{name}.{extension}"
            if not path.exists():
                continue
            if extension in MARKS:
                assert len(names_in(path, MARKS[extension])) >= count, f"{path}: names are missing"
            result = check(path, count, optimum is not None)
            if result is None:
                continue
            got_models, got_optimum = result
            if optimum is not None:
                fine = got_optimum == optimum
                said = f"optimum {got_optimum}, expected {optimum}"
            elif extension == "wcnf":
                fine, said = got_optimum == 0, "satisfiable at cost 0" if got_optimum == 0 else "no solution"
            else:
                fine = got_models == models or (got_models == "at least 300" and models >= 300)
                said = f"{got_models} models, expected {models}"
            print(f"{'ok  ' if fine else 'FAIL'} {path.name}: {said}")
            passed += fine
            if not fine:
                failures.append(path.name)
    if missing:
        print("not installed:", ", ".join(sorted(missing)))
    print(f"{passed} passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    if sys.argv[1:2] == ["--ortools"]:
        print(ortools_optimum(Path(sys.argv[2]), int(sys.argv[3])))
        sys.exit()
    if sys.argv[1:2] == ["--ortools-mps"]:
        print(ortools_mps_optimum(Path(sys.argv[2])))
        sys.exit()
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(Path(sys.argv[1])))
