#!/bin/sh
# Runs the checks beside a command, for one of them alone leaves cores idle. What they say comes after what the command
# says; the exit code is the command's, or that of the checks where only they failed.
words=$(mktemp)
sh packaging/check.sh >"$words" 2>&1 &
checks=$!
trap 'kill "$checks" 2>/dev/null; rm -f "$words"' EXIT
trap 'exit 130' INT TERM
"$@"
code=$?
wait "$checks"
checked=$?
cat "$words" >&2
[ "$code" -ne 0 ] || code=$checked
exit "$code"
