#!/bin/sh
# Runs Ruff, mypy and the import contracts. Prints nothing if there are no errors.
python=.venv/bin/python
"$python" -m ruff check --quiet &&
    "$python" -m ruff format --check --quiet &&
    "$python" -m mypy --no-error-summary &&
    sh packaging/imports.sh
