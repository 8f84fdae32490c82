#!/usr/bin/env bash
# Installs the Python package into a new environment, checks its types, and runs its tests and the examples in its docs.
#
#   scripts/check-python.sh            with PRECEPT=program the rules are also compared with those of the program
#   scripts/check-python.sh DIRECTORY  where the environment is kept; left out, it goes when this ends
#   scripts/check-python.sh --native target/debug/lib_native.so [DIRECTORY]
#                                      with a native module that cargo built, in place of one that pip builds
#   scripts/check-python.sh --prepare DIRECTORY    only what the tests need beside the package
#
# Solvers and PyTorch are tested with where they are installed: EXTRAS="torch ortools cpmpy python-sat z3-solver".
set -euo pipefail
cd "$(dirname "$0")/.."
native="" prepare=""
case ${1:-} in
  --native) native=$(realpath "$2"); shift 2 ;;
  --prepare) prepare=1; shift ;;
esac
venv=${1:-$(mktemp -d)}
[ $# -gt 0 ] || trap 'rm -rf "$venv"' EXIT
mkdir -p "$venv"
venv=$(realpath "$venv")
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target} PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_QUIET=1

[ -x "$venv/bin/pip" ] || python3 -m venv "$venv"
if [ -n "$native$prepare" ]; then
  # What pyproject.toml asks for, in the words of pip.
  "$venv/bin/python" - > "$venv/needed.txt" <<'EOF'
try:
    import tomllib
except ImportError:
    from pip._vendor import tomli as tomllib
project = tomllib.load(open("python/pyproject.toml", "rb"))["project"]
print("\n".join(project["dependencies"] + project["optional-dependencies"]["test"]))
EOF
  "$venv/bin/pip" install -r "$venv/needed.txt" ${EXTRAS:-}
  [ -z "$prepare" ] || exit 0
  packages=$("$venv/bin/python" -c "import sysconfig; print(sysconfig.get_path('platlib'))")
  rm -rf "$packages/preceptron"
  cp -r python/preceptron "$packages/preceptron"
  cp "$native" "$packages/preceptron/_native.abi3.so"
else
  "$venv/bin/pip" install "./python[test]" ${EXTRAS:-}
fi

# From elsewhere, so that what is tested is what was installed.
tests=$PWD/python/tests
cd "$venv"
package=$(bin/python -c "import preceptron; print(preceptron.__path__[0])")
bin/mypy --config-file "$tests/../pyproject.toml" --cache-dir "$venv/.mypy_cache"
bin/python -m pytest -q -W error --rootdir "$tests" -c "$tests/../pyproject.toml" -p no:cacheprovider \
  --doctest-modules "$tests" "$package"
size=$(du -k "$package"/_native*.so | cut -f1)
echo "preceptron $(bin/python -c 'import preceptron; print(preceptron.__version__)'): the native module has $size kB"
