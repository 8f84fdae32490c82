#!/usr/bin/env bash
# Builds preceptron-reason with each of the solvers that are off by default and runs the conformance suite
# with them, on Debian or Ubuntu, as root or with sudo.
#
#     scripts/try-backends.sh            # z3 and highs
#     scripts/try-backends.sh highs      # one of them
#
# HiGHS is compiled from the source in its crate: that takes cmake, a C++ compiler and libclang. Z3 is the
# shared library of the Python package z3-solver, in a virtual environment under target/; Debian's own is
# older than the crate z3 takes.
set -euo pipefail
cd "$(dirname "$0")/.."

install() {
  local missing=()
  for package in "$@"; do
    dpkg -s "$package" >/dev/null 2>&1 || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return
  local as_root=()
  [ "$(id -u)" -eq 0 ] || as_root=(sudo)
  "${as_root[@]}" apt-get update
  "${as_root[@]}" apt-get install --yes --no-install-recommends "${missing[@]}"
}

conformance() {
  # The backend by itself against brute force, and against CaDiCaL on the larger problems.
  PRECEPT_BACKENDS="cadical,$1" cargo test -p preceptron-reason --features "$1" --lib --test conformance
}

try_highs() {
  install build-essential cmake libclang-dev
  conformance highs
}

try_z3() {
  install build-essential python3-venv
  local venv=target/z3-solver
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check z3-solver
  local z3
  z3=$("$venv/bin/python" -c 'import importlib.util as u; print(u.find_spec("z3").submodule_search_locations[0])')
  # Without pkg-config, which would find Debian's.
  export Z3_NO_PKG_CONFIG=1 Z3_LIBRARY_PATH_OVERRIDE=$z3/lib
  Z3_SYS_Z3_VERSION=$("$venv/bin/python" -c 'import z3; print(z3.get_version_string())')
  export Z3_SYS_Z3_VERSION LD_LIBRARY_PATH=$z3/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
  conformance z3
}

[ $# -gt 0 ] || set -- z3 highs
for backend in "$@"; do
  case $backend in
    highs | z3) "try_$backend" ;;
    *) echo "no backend $backend: there are z3 and highs" >&2; exit 2 ;;
  esac
done
