#!/bin/sh
# The import contracts of pyproject.toml. Says nothing when they are kept.
words=$(.venv/bin/lint-imports --no-logo 2>&1) || {
    echo "$words" >&2
    exit 1
}
