#!/bin/sh
# Uses an installed program by its window and its verbs, as an ordinary user: `use.sh COMMAND PREFIX`.
set -eu
command=$1
prefix=$2
cd "$HOME"
mkdir -p made

fail() {
    echo "use: $*" >&2
    [ ! -f made/output ] || tail -n 20 made/output >&2
    xwd -root -silent 2>/dev/null >made/failed.xwd || true
    exit 1
}
tell() { echo "   $*"; }

tell "$("$command" --version | head -n 1), from $(readlink -f "$(command -v "$command")")"
case $(readlink -f "$(command -v "$command")") in
"$prefix"/lib/turnwright/turnwright) ;;
*) fail "another program is found instead of the installed one" ;;
esac

export DISPLAY=:77
Xvfb :77 -screen 0 1600x1000x24 -nolisten tcp >/dev/null 2>&1 &
server=$!
openbox=
trap 'kill $openbox $server 2>/dev/null || true' EXIT
trap 'exit 130' INT TERM
for _ in $(seq 50); do xdotool getdisplaygeometry >/dev/null 2>&1 && break || sleep 0.2; done
openbox >/dev/null 2>&1 &
openbox=$!

# A double click: the type of the file, the program for that type, and its menu entry.
export XDG_DATA_DIRS=/usr/local/share:/usr/share
sample=$HOME/cold-ford-bridge.toml
kind=$(gio info -a standard::content-type "$sample" | sed -n 's/.*content-type: //p')
tell "$(basename "$sample") is $kind, opened by $(gio mime "$kind" | sed -n 's/^Default application[^:]*: //p')"
[ "$kind" = application/x-turnwright-encounter ] || fail "the type of the file was not recognised"
gio open "$sample" >made/output 2>&1
for _ in $(seq 600); do
    window=$(xdotool search --onlyvisible --name 'Cold Ford|cold-ford' 2>/dev/null | head -n 1 || true)
    [ -z "$window" ] || break
    sleep 0.2
done
[ -n "$window" ] || fail "no window opened"
tell "the window: $(xdotool getwindowname "$window"); $(xprop -id "$window" WM_CLASS)"
process=$(pgrep -u "$(id -u)" -f lib/turnwright/turnwright | head -n 1)

press() {
    for key in "$@"; do
        xdotool windowfocus --sync "$window" key --clearmodifiers "$key"
        sleep 0.4
    done
}
fight=$HOME/cold-ford-bridge.fight.toml
round() { sed -n 's/^round = //p' "$fight" 2>/dev/null | head -n 1; }

sleep 4
press F9 F10
sleep 2
turns=0
while [ "$turns" -lt 60 ]; do
    press shift+Return Return n
    turns=$((turns + 1))
    if [ $((turns % 4)) = 0 ]; then
        press ctrl+s
        [ "$(round)" != 2 ] || break
    fi
done
[ "$(round)" = 2 ] || fail "the fight did not reach round 2; it is in round $(round)"
tell "one round was played: $(sed -n '/^\[clock\]/,/^$/p' "$fight" | tr '\n' ' ')"
press ctrl+q
for _ in $(seq 50); do kill -0 "$process" 2>/dev/null || break; sleep 0.2; done
! kill -0 "$process" 2>/dev/null || fail "the program did not exit"

"$command" handout "$sample" -o made/ford.pdf --kind encounter-sheet --kind stat-blocks >made/output 2>&1 || fail "nothing was printed"
tell "a handout: $(pdfinfo made/ford.pdf 2>/dev/null | sed -n 's/^Pages: *//p') pages"
env -u DISPLAY "$command" screenshot "$sample" -o made/run.png --arrangement run >made/output 2>&1 || fail "no picture was made"
tell "a picture: $(file -b made/run.png)"
env -u DISPLAY "$command" screenshot "$sample" -o made/forecast.png --panel forecast >made/output 2>&1 || fail "no picture was made"
! grep Traceback made/output || fail "the forecast's charts were not drawn"
samples=$(find . -maxdepth 1 -name "*.toml" ! -name "*.fight.toml")
# shellcheck disable=SC2086 # several names, none with a space
"$command" check $samples >made/output 2>&1 || fail "the samples have errors"
"$command" odds countdown --dice 4 >made/output 2>&1 || fail "no odds were printed"
man -w turnwright >made/output 2>&1 || [ -f "$prefix/share/man/man1/turnwright.1.gz" ] || fail "the man page is missing"
rm -f made/output
