#!/bin/sh
# Tests the tree with another Python: `sh packaging/other_python.sh python3.13 [PYTEST-ARGUMENTS]`. It clones the last commit into
# build/pythons/, with a separate environment, and runs the tests there (all of them without arguments).
set -eu
cd "$(dirname "$0")/.."
[ $# -gt 0 ] || {
    echo "usage: sh packaging/other_python.sh PYTHON [PYTEST-ARGUMENTS]" >&2
    exit 2
}
python=$1
shift
version=$("$python" -c 'import platform; print(platform.python_version())')
folder=build/pythons/$version
[ -d "$folder/.git" ] || git clone --quiet . "$folder"
git -C "$folder" fetch --quiet origin
git -C "$folder" checkout --quiet --detach "$(git rev-parse HEAD)"
cd "$folder"
[ -x .venv/bin/python ] || "$python" -m venv .venv
sh packaging/setup.sh
.venv/bin/python packaging/kernels.py
.venv/bin/python --version
exec .venv/bin/python -m pytest -q -n auto --maxprocesses=2 --dist worksteal "$@"
