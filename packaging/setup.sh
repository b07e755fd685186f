#!/bin/sh
# Creates .venv and installs the system packages that Qt needs. It does nothing if that was done before, unless
# pyproject.toml or the constraints have changed. `--display` also installs packages that only a window needs.
# Exit code 2: a package is missing that only you can install; the command for it is printed.
set -eu
cd "$(dirname "$0")/.."

want=offscreen
[ "${1:-}" = --display ] && want=display

say() { echo "turnwright: $*" >&2; }
give_up() {
    say "$*"
    exit 2
}

# Installs Debian packages as root, or by sudo after asking, or else prints the command.
install_packages() {
    line="apt-get install --yes --no-install-recommends $*"
    command -v apt-get >/dev/null 2>&1 || give_up "please install the equivalents of these Debian packages: $*"
    if [ "$(id -u)" = 0 ]; then
        prefix=
    elif command -v sudo >/dev/null 2>&1 && [ -t 0 ] && [ -t 2 ]; then
        printf 'turnwright: These packages are missing: %s\nInstall them with sudo? [y/N] ' "$*" >&2
        read -r answer || answer=
        case "$answer" in
        [yY]*) prefix=sudo ;;
        *) give_up "please run: sudo $line" ;;
        esac
    else
        give_up "please run as root: $line"
    fi
    say "installing $*"
    log=$(mktemp)
    $prefix env DEBIAN_FRONTEND=noninteractive apt-get update >"$log" 2>&1 || cat "$log" >&2
    if ! $prefix env DEBIAN_FRONTEND=noninteractive $line >"$log" 2>&1; then
        cat "$log" >&2
        rm -f "$log"
        give_up "the installation failed; please run as root: $line"
    fi
    rm -f "$log"
}

recent_enough() { "$1" -c 'import sys; sys.exit(sys.version_info < (3, 11))' >/dev/null 2>&1; }
can_make_venv() { "$1" -c 'import ensurepip, venv' >/dev/null 2>&1; }

find_python() {
    python=
    for candidate in python3.13 python3.12 python3.11 python3; do
        if recent_enough "$candidate"; then
            [ -n "$python" ] || python=$candidate
            if can_make_venv "$candidate"; then
                python=$candidate
                return
            fi
        fi
    done
    if [ -z "$python" ]; then
        case "$(uname -s)" in
        Darwin) give_up "needs Python 3.11 or later: see python.org, or brew install python@3.13" ;;
        *) give_up "needs Python 3.11 or later with venv; on Debian 12 and later: apt-get install python3 python3-venv" ;;
        esac
    fi
    # On Debian, a part of venv is in a separate package.
    install_packages "$("$python" -c 'import sys; print("python%d.%d-venv" % sys.version_info[:2])')"
    can_make_venv "$python" || give_up "$python still can't create virtual environments (ensurepip is missing)"
}

make_environment() {
    if ! .venv/bin/python -m pip --version >/dev/null 2>&1; then
        find_python
        say "creating .venv with $("$python" --version)"
        "$python" -m venv --clear .venv || give_up "$python could not create .venv"
    fi
    say "installing the packages in pyproject.toml"
    .venv/bin/python -m pip install --quiet --disable-pip-version-check --no-input \
        --constraint packaging/constraints.txt --editable '.[dev]' ||
        give_up "pip could not install everything; its messages are above"
}

install_for_qt() {
    needs=$(.venv/bin/python -m turnwright.cli.qt_libraries "$want") || give_up "could not determine the packages that Qt needs"
    if [ -n "$needs" ]; then
        # Install everything now, so that a later `make run` has nothing left to install.
        command -v apt-get >/dev/null 2>&1 && needs=$(.venv/bin/python -m turnwright.cli.qt_libraries display)
        # shellcheck disable=SC2086 # several words on purpose
        install_packages $needs
    fi
    output=$(QT_QPA_PLATFORM=offscreen .venv/bin/python -c 'from PySide6.QtWidgets import QApplication; QApplication([])' 2>&1) ||
        give_up "Qt does not start: $output"
}

done_before() { [ -f "$1" ] && [ "$(cat "$1")" = "$key" ]; }

# If the checkout has moved, or one of these files has changed, the key differs and everything is done again.
key=$(pwd; cksum pyproject.toml packaging/constraints.txt packaging/setup.sh resources/qt_libraries.toml desktop/turnwright/cli/qt_libraries.py)
if ! done_before .venv/turnwright-packages || ! [ -x .venv/bin/python ]; then
    make_environment
    printf '%s\n' "$key" >.venv/turnwright-packages
fi
if ! done_before ".venv/turnwright-qt-$want"; then
    install_for_qt
    printf '%s\n' "$key" >".venv/turnwright-qt-$want"
    # The packages for a window include those for the tests.
    [ "$want" = offscreen ] || printf '%s\n' "$key" >.venv/turnwright-qt-offscreen
fi

# With an index of the shipped library, the first start needn't read all of its files.
index=resources/library.msgpack
of="resources/library resources/environments desktop/turnwright/storage/library desktop/turnwright/rules/parts/preparation"
# shellcheck disable=SC2086 # several folders on purpose
if ! [ -f "$index" ] || [ -n "$(find $of -name '*.[tp][oy]*' -newer "$index" | grep -v '/__pycache__' | head -n 1)" ]; then
    .venv/bin/python packaging/library_index.py || say "the library could not be indexed; the first start does it"
fi
