#!/bin/sh
# Exits with 2 if there is no display, and lists the verbs that work without one.
[ "$(uname -s)" = Linux ] || exit 0
[ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ] || exit 0
cat >&2 <<'END'
turnwright: the window can't open, because there is no display (DISPLAY and WAYLAND_DISPLAY aren't set).
These verbs work without one, after `make setup`:
  .venv/bin/turnwright check FILE...                          check encounter files
  .venv/bin/turnwright odds countdown --dice 5 --speed medium  exact odds of a countdown
  .venv/bin/turnwright play FILE --script SCRIPT              run a script and print the journal
  .venv/bin/turnwright screenshot FILE -o OUT.png             take a picture of the window
END
exit 2
