#!/bin/sh
# `make clone-test`: `make run` and `make test` in a clone on a bare Debian that has nothing but make, git, python3 and
# python3-venv. `make run` must open its window, and `make test` must pass. Needs the same as package_test.sh, and Xvfb and xdotool here.
set -eu
cd "$(dirname "$0")/../.."
root=build/roots/clone
log=build/roots/clone.log

for tool in Xvfb xdotool; do
    command -v "$tool" >/dev/null 2>&1 || {
        echo "clone-test: please install $tool" >&2
        exit 2
    }
done
. packaging/proof/bare_clone.sh

echo "== make run"
Xvfb :78 -screen 0 1600x1000x24 -nolisten tcp >/dev/null 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
there 'DISPLAY=:78 make run FILE=encounters/bell-barge.toml' >>"$log" 2>&1 &
run=$!
window=
for _ in $(seq 600); do
    window=$(DISPLAY=:78 xdotool search --onlyvisible --name 'bell|Bell' 2>/dev/null | head -n 1 || true)
    [ -z "$window" ] && kill -0 "$run" 2>/dev/null || break
    sleep 1
done
[ -n "$window" ] || {
    tail -n 20 "$log" >&2
    echo "clone-test: make run opened no window" >&2
    exit 1
}
echo "   a window: $(DISPLAY=:78 xdotool getwindowname "$window")"
sleep 10
DISPLAY=:78 xdotool windowfocus --sync "$window" key ctrl+q
wait "$run" || true
kill "$server" 2>/dev/null || true

echo "== make test"
there 'nice make test' 2>&1 | tee -a "$log" | tail -n 15
tail -n 40 "$log" | grep -Eq '^[0-9]+ passed' || exit 1
