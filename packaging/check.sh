#!/bin/sh
# Ruff, mypy and the import contracts. Says nothing where all is well.
python=.venv/bin/python
"$python" -m ruff check --quiet &&
    "$python" -m ruff format --check --quiet &&
    "$python" -m mypy --no-error-summary &&
    sh packaging/imports.sh
