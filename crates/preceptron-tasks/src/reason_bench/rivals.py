"""Runs Z3, RC2 and CP-SAT on instances from standard input, one JSON line for each solver.

Cold: a solver is built for every query. Warm: the rules are loaded once, and a query is pushed on top of
them and taken off again, where the solver can do that. One thread each; times are of the
processor and leave out what Python needs to read the instance. Limits are of the clock.
"""

import json
import sys
import time

instance = json.load(sys.stdin)
LIMIT, PATIENCE = instance["limit"], instance["patience"]
PROBLEMS, QUERIES = instance["problems"], instance["queries"]
SHARED = len(PROBLEMS) == 1


def problem_of(place):
    return PROBLEMS[0 if SHARED else place]


def costs_of(problem, query):
    return [(literal, cost) for literal, cost in problem["objective"] + query["costs"] if cost]


def rules_of(problem, query):
    """The hard rules, and the soft ones with their prices."""
    soft = [(one["body"], one["weight"]) for one in problem["soft"]]
    if query["price"] is None:
        return problem["rules"], soft
    return [], soft + [(rule, query["price"]) for rule in problem["rules"]]


def run(name, warm, answer):
    """Calls answer(place, query) for each query: seconds and optimum ("none", or None if not known)."""
    seconds, optima, unfinished, begun = [], [], 0, time.perf_counter()
    for place, query in enumerate(QUERIES):
        if time.perf_counter() - begun > PATIENCE:
            break
        took, optimum = answer(place, query)
        seconds.append(took)
        optima.append(optimum)
        unfinished += optimum is None
    line = {"solver": name, "warm": warm, "seconds": seconds, "unfinished": unfinished, "optima": optima}
    print(json.dumps(line), flush=True)


def try_z3():
    import z3

    z3.set_param("parallel.enable", False)

    def literal(xs, number):
        return xs[number - 1] if number > 0 else z3.Not(xs[-number - 1])

    def formula(xs, rule):
        terms = [(literal(xs, number), 1) for number in rule["literals"]]
        sums = rule["sums"]
        if not sums:
            body = z3.BoolVal(False)
        elif not terms:
            body = z3.BoolVal(0 in sums)
        elif sums == list(range(sums[0], sums[-1] + 1)):
            bounds = []
            if sums[0] == sums[-1]:
                bounds.append(z3.PbEq(terms, sums[0]))
            else:
                bounds += [z3.PbGe(terms, sums[0])] if sums[0] > 0 else []
                bounds += [z3.PbLe(terms, sums[-1])] if sums[-1] < len(terms) else []
            body = z3.And(bounds) if len(bounds) != 1 else bounds[0]
        else:
            body = z3.Or([z3.PbEq(terms, one) for one in sums])
        return body if rule["gate"] is None else z3.Implies(literal(xs, rule["gate"]), body)

    def needs_optimum(problem, query):
        return bool(problem["objective"] or problem["soft"] or query["costs"] or query["price"] is not None)

    def load(problem, query, kind):
        xs = z3.Bools([f"x{number}" for number in range(problem["variables"])])
        solver = kind()
        solver.set("timeout", int(1000 * LIMIT))
        hard, _ = rules_of(problem, query)
        for rule in hard:
            solver.add(formula(xs, rule))
        formulas = [(formula(xs, rule), weight) for rule, weight in rules_of(problem, query)[1]]
        return solver, xs, formulas

    def ask(solver, xs, formulas, problem, query):
        for number in query["fixed"]:
            solver.add(literal(xs, number))
        if not isinstance(solver, z3.Optimize):
            outcome = solver.check()
            return 0 if outcome == z3.sat else "none" if outcome == z3.unsat else None
        costs, constant = costs_of(problem, query), 0
        for number, cost in costs:
            if cost < 0:
                constant += cost
            solver.add_soft(literal(xs, number if cost < 0 else -number), abs(cost), "cost")
        for one, weight in formulas:
            solver.add_soft(one, weight, "cost")
        outcome = solver.check()
        if outcome != z3.sat:
            return "none" if outcome == z3.unsat else None
        model = solver.model()
        value = lambda number: z3.is_true(model.eval(literal(xs, number), model_completion=True))
        paid = sum(cost for number, cost in costs if value(number))
        return paid + sum(w for one, w in formulas if not z3.is_true(model.eval(one, model_completion=True)))

    def run_both(name, kind):
        def cold(place, query):
            started = time.process_time()
            optimum = ask(*load(problem_of(place), query, kind), problem_of(place), query)
            return time.process_time() - started, optimum

        run(name, False, cold)
        if SHARED:
            solver, xs, formulas = load(PROBLEMS[0], QUERIES[0], kind)

            def warm(place, query):
                started = time.process_time()
                solver.push()
                optimum = ask(solver, xs, formulas, PROBLEMS[0], query)
                solver.pop()
                return time.process_time() - started, optimum

            warm(0, QUERIES[0])
            run(name, True, warm)

    run_both("z3", z3.Optimize)
    # What only asks for any assignment needs no optimiser.
    if not needs_optimum(PROBLEMS[0], QUERIES[0]):
        run_both("z3 solver", z3.Solver)


def try_pysat():
    import threading

    from pysat.card import CardEnc, EncType
    from pysat.examples.rc2 import RC2Stratified
    from pysat.formula import IDPool, WCNF
    from pysat.solvers import Solver

    def clauses(rule, pool, switch=None):
        guard = [-one for one in (rule["gate"], switch) if one is not None]
        literals, sums, out = rule["literals"], rule["sums"], []
        kind = EncType.pairwise if len(literals) <= 30 else EncType.totalizer
        if not sums:
            return [guard]
        if sums != list(range(sums[0], sums[-1] + 1)):
            return None
        if sums[-1] < len(literals):
            wide = EncType.totalizer if 1 < sums[-1] < len(literals) - 1 else kind
            out += CardEnc.atmost(literals, sums[-1], vpool=pool, encoding=wide).clauses
        if sums[0] > 0:
            wide = EncType.totalizer if 1 < sums[0] < len(literals) - 1 else kind
            out += CardEnc.atleast(literals, sums[0], vpool=pool, encoding=wide).clauses
        return [guard + clause for clause in out]

    def formula(problem, query):
        wcnf, pool = WCNF(), IDPool(start_from=problem["variables"] + 1)
        hard, soft = rules_of(problem, query)
        for rule in hard:
            encoded = clauses(rule, pool)
            if encoded is None:
                return None
            wcnf.extend(encoded)
        for rule, weight in soft:
            switch = pool.id()
            encoded = clauses(rule, pool, switch)
            if encoded is None:
                return None
            wcnf.extend(encoded)
            wcnf.append([switch], weight=weight)
        wcnf.extend([[number] for number in query["fixed"]])
        constant = 0
        for number, cost in costs_of(problem, query):
            constant += min(cost, 0)
            wcnf.append([-number if cost > 0 else number], weight=abs(cost))
        return wcnf, constant

    def limited(solver, work):
        """What the work gives, and whether its time was up."""
        timer, begun = threading.Timer(LIMIT, solver.interrupt), time.perf_counter()
        timer.start()
        try:
            return work(), time.perf_counter() - begun >= LIMIT
        finally:
            timer.cancel()

    def cold(place, query):
        started = time.process_time()
        made = formula(problem_of(place), query)
        if made is None:
            return time.process_time() - started, None
        wcnf, constant = made
        if wcnf.soft:
            with RC2Stratified(wcnf, solver="g4", adapt=True, exhaust=True, minz=True) as solver:
                model, is_late = limited(solver, lambda: solver.compute(expect_interrupt=True))
                took = time.process_time() - started
                if model is None:
                    return took, None if is_late else "none"
                return took, solver.cost + constant
        with Solver(name="g4", bootstrap_with=wcnf.hard) as solver:
            outcome, _ = limited(solver, lambda: solver.solve_limited(expect_interrupt=True))
            return time.process_time() - started, 0 if outcome else None if outcome is None else "none"

    run("rc2", False, cold)
    if SHARED and not QUERIES[0]["costs"] and QUERIES[0]["price"] is None:
        wcnf, _ = formula(PROBLEMS[0], dict(QUERIES[0], fixed=[]))
        with Solver(name="g4", bootstrap_with=wcnf.hard) as solver:

            def warm(place, query):
                started = time.process_time()
                outcome = solver.solve(assumptions=query["fixed"])
                return time.process_time() - started, 0 if outcome else "none"

            warm(0, QUERIES[0])
            run("glucose", True, warm)


def try_cp_sat():
    from ortools.sat.python import cp_model

    def add(model, xs, rule, switch=None):
        literals = [xs[number - 1] if number > 0 else xs[-number - 1].Not() for number in rule["literals"]]
        domain = cp_model.Domain.FromValues(rule["sums"])
        guards = [xs[g - 1] if g > 0 else xs[-g - 1].Not() for g in (rule["gate"],) if g is not None]
        guards += [switch] if switch is not None else []
        if not rule["sums"]:
            model.AddBoolOr([guard.Not() for guard in guards])
            return
        constraint = model.AddLinearExpressionInDomain(sum(literals) if literals else 0, domain)
        if guards:
            constraint.OnlyEnforceIf(guards)

    def cold(place, query):
        started = time.process_time()
        problem = problem_of(place)
        model = cp_model.CpModel()
        xs = [model.NewBoolVar("") for _ in range(problem["variables"])]
        hard, soft = rules_of(problem, query)
        for rule in hard:
            add(model, xs, rule)
        objective = []
        for rule, weight in soft:
            switch = model.NewBoolVar("")
            add(model, xs, rule, switch)
            objective.append(weight * (1 - switch))
        literal = lambda number: xs[number - 1] if number > 0 else xs[-number - 1].Not()
        model.AddBoolAnd([literal(number) for number in query["fixed"]])
        objective += [cost * literal(number) for number, cost in costs_of(problem, query)]
        if objective:
            model.Minimize(sum(objective))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.max_time_in_seconds = LIMIT
        status = solver.Solve(model)
        took = time.process_time() - started
        if status == cp_model.OPTIMAL or (status == cp_model.FEASIBLE and not objective):
            return took, round(solver.ObjectiveValue()) if objective else 0
        return took, "none" if status == cp_model.INFEASIBLE else None

    run("cp-sat", False, cold)


for attempt in (try_z3, try_pysat, try_cp_sat):
    try:
        attempt()
    except ImportError:
        pass
