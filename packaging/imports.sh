#!/bin/sh
# Checks the import contracts of pyproject.toml. Prints nothing if they are kept.
output=$(.venv/bin/lint-imports --no-logo 2>&1) || {
    echo "$output" >&2
    exit 1
}
