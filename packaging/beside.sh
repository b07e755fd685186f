#!/bin/sh
# Runs a command and the checks at the same time, to use all cores. The output of the checks follows that of the command.
# The exit code is that of the command, or that of the checks if only they fail.
output=$(mktemp)
sh packaging/check.sh >"$output" 2>&1 &
checks=$!
trap 'kill "$checks" 2>/dev/null; rm -f "$output"' EXIT
trap 'exit 130' INT TERM
"$@"
code=$?
wait "$checks"
checked=$?
cat "$output" >&2
[ "$code" -ne 0 ] || code=$checked
exit "$code"
