#!/bin/sh
# Exits 2, and says what works without one, where there is no display to open a window on.
[ "$(uname -s)" = Linux ] || exit 0
[ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}${QT_QPA_PLATFORM:-}" ] || exit 0
cat >&2 <<'END'
turnwright: there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open.
These work without one, after `make setup`:
  .venv/bin/turnwright check FILE...                          what is wrong in an encounter file
  .venv/bin/turnwright odds countdown --dice 5 --speed medium  exact odds
  .venv/bin/turnwright play FILE --script SCRIPT              run an encounter from a script
  .venv/bin/turnwright screenshot FILE -o OUT.png             a picture of the window
END
exit 2
