"""scikit-learn's manners."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("sklearn")
pandas = pytest.importorskip("pandas")

from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import estimator_checks_generator

from preceptron import RuleLearner

# What these checks hand in are measurements with ever new values, which are no categories: the learner refuses them.
MEASUREMENTS = "has more than 64 different values"


def shifts() -> "pandas.DataFrame":
    return pandas.DataFrame(
        {"shift": ["early", "late", "off"] * 30, "works": [1, 1, 0] * 30, "odd": [at % 2 for at in range(90)]}
    )


def test_checks_of_scikit_learn() -> None:
    failed, passed, not_applicable = [], 0, 0
    for estimator, check in estimator_checks_generator(RuleLearner(clause_literals=2, threads=1)):
        name = getattr(getattr(check, "func", check), "__name__", str(check))
        try:
            check(estimator)
            passed += 1
        except Exception as error:  # noqa: BLE001
            if MEASUREMENTS in str(error) or MEASUREMENTS in str(error.__cause__):
                not_applicable += 1
            elif type(error).__name__ == "SkipTest":
                continue
            else:
                failed.append(f"{name}: {type(error).__name__}: {str(error)[:300]}")
    assert not failed, "\n".join(failed)
    assert passed >= 15, (passed, not_applicable)


def test_fit_and_look() -> None:
    learner = RuleLearner().fit(shifts())
    rules = learner.get_rules()
    assert len(rules) == len(learner.rules_) and set(rules.columns) >= {"id", "text", "support"}
    wrong = shifts()
    wrong.loc[2, "works"] = 1
    assert learner.score_samples(shifts()).sum() == 0
    assert learner.score_samples(wrong)[2] < 0
    assert {row for row, _ in learner.violations(wrong)} == {2}
    assert learner.transform(wrong).shape == (90, len(rules)) == (90, len(learner.get_feature_names_out()))


def test_what_is_missing_is_filled_in() -> None:
    learner = RuleLearner().fit(shifts())
    gaps = shifts().head(6).astype(object)
    gaps.loc[0, "works"] = None
    gaps.loc[2, "works"] = None
    filled = learner.predict(gaps)
    assert filled.works.tolist() == [1, 1, 0, 1, 1, 0] and filled["shift"].tolist() == shifts()["shift"].head(6).tolist()
    gaps.loc[2, "shift"] = None
    gaps.loc[2, "works"] = 0
    assert learner.predict(gaps)["shift"].tolist()[2] == "off"
    array = np.array([[1, 0, np.nan], [0, np.nan, 0]] * 5)
    full = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]] * 20)
    assert (RuleLearner().fit(full).predict(array) == [[1, 0, 0], [0, 1, 0]] * 5).all()


def test_cloned_searched_and_piped() -> None:
    learner = RuleLearner(threshold=0.9, settings={"parity": False})
    assert clone(learner).get_params() == learner.get_params()
    pipe = make_pipeline(FunctionTransformer(), RuleLearner())
    assert pipe.fit(shifts()).transform(shifts()).shape[0] == 90
    search = GridSearchCV(RuleLearner(), {"threshold": [0.9, 1.0]}, cv=3, scoring=lambda m, X, y=None: m.score_samples(X).mean())
    assert search.fit(shifts()).best_score_ == 0


def test_values_that_never_come() -> None:
    learner = RuleLearner().fit(shifts())
    few = shifts()[shifts()["shift"] != "late"].reset_index(drop=True)
    assert learner.score_samples(few).sum() == 0
    few.loc[0, "works"] = 0
    assert learner.score_samples(few)[0] < 0
