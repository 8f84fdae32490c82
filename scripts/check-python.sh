#!/usr/bin/env bash
# Installs the Python package into a new environment, checks its types, and runs its tests and the examples in its docs.
#
#   scripts/check-python.sh            with PRECEPT=program the rules are also compared with those of the program
#   scripts/check-python.sh DIRECTORY  where the environment is kept; left out, it goes when this ends
#
# Solvers and PyTorch are tested with where they are installed: EXTRAS="torch ortools cpmpy python-sat z3-solver".
set -euo pipefail
cd "$(dirname "$0")/.."
venv=${1:-$(mktemp -d)}
[ $# -gt 0 ] || trap 'rm -rf "$venv"' EXIT
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target} PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1

python3 -m venv "$venv"
"$venv/bin/pip" install "./python[test]" ${EXTRAS:-}

# From elsewhere, so that what is tested is what was installed.
tests=$PWD/python/tests
package=$("$venv/bin/python" -c "import preceptron; print(preceptron.__path__[0])")
cd "$venv"
bin/mypy --config-file "$tests/../pyproject.toml" --cache-dir "$venv/.mypy_cache"
bin/python -m pytest -q -W error --rootdir "$tests" -c "$tests/../pyproject.toml" -p no:cacheprovider \
  --doctest-modules "$tests" "$package"
size=$(du -k "$package"/_native*.so | cut -f1)
echo "preceptron $(bin/python -c 'import preceptron; print(preceptron.__version__)'): the native module has $size kB"
