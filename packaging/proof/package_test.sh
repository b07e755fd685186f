#!/bin/sh
# `make package-test`: makes the packages, and installs, uses and removes them in bare Debian roots. In the first root, apt
# installs the .deb; in the second, an ordinary user installs the portable archive. All results stay in build/.
# The packages are compressed quickly, with the same content. `--made` uses the packages that are already in dist/.
set -eu
cd "$(dirname "$0")/../.."
python=.venv/bin/python
[ "${1:-}" = --made ] || "$python" packaging/package.py --level 1

say() { echo "== $*"; }

inside() { sh packaging/proof/inside.sh "$@"; }

# Install the parts of a usual desktop: a display, a program that opens files by their type, and simulated keys.
furnish() {
    inside "$1" sh -c 'apt-get update && apt-get install --yes --no-install-recommends xvfb xauth xdotool openbox dbus \
        libglib2.0-bin x11-utils desktop-file-utils shared-mime-info man-db poppler-utils file xz-utils procps '"${2:-}" >"$1.log" 2>&1 || {
        tail -n 20 "$1.log" >&2
        exit 2
    }
    inside "$1" useradd --create-home --shell /bin/bash player
    mkdir -p "$1/proof"
    cp packaging/proof/use.sh "$1/proof/"
    cp encounters/*.toml "$1/home/player/"
    inside "$1" chown -R player: /home/player
}

# List all files of a root except those that change with every use.
listing() {
    (cd "$1" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./tmp -o -path ./proof -o -path ./var/lib/dpkg \
        -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt \) -prune -o -print | sort)
}

report_left() {
    listing "$1" >"$1.after"
    say "files left after removal that were not there before:"
    comm -13 "$1.before" "$1.after" | sed 's/^/   /'
    others=$(comm -13 "$1.before" "$1.after" | grep -v '^\./home/player/' || true)
    strange=$(comm -13 "$1.before" "$1.after" | grep '^\./home/player/' | grep -Ev "$2" || true)
    gone=$(comm -23 "$1.before" "$1.after")
    if [ -n "$others$strange$gone" ]; then
        echo "package-test: unexpected files are left, or other files are missing: $others $strange $gone" >&2
        exit 1
    fi
}

# The user's own files: encounters with their fights, printed pages, settings, library, state, and files of the desktop.
own='^\./home/player/([a-z-]*\.toml|[a-z-]*\.fight\.toml|[a-z-]*\.toml\.lock|made(/.*)?|\.config(/.*)?|\.cache(/.*)?|\.local|\.local/share|\.local/state|\.local/(share|state)/turnwright(/.*)?|\.local/share/(recently-used.xbel|gvfs-metadata(/.*)?)|\.dbus(/.*)?)$'

say "the .deb in a bare Debian"
root=build/roots/deb
sh packaging/proof/bare_root.sh "$root"
furnish "$root"
listing "$root" >"$root.before"
cp dist/turnwright_*.deb "$root/proof/turnwright.deb"
inside "$root" sh -c 'apt-get install --yes --no-install-recommends /proof/turnwright.deb' >"$root.log" 2>&1 || {
    tail -n 20 "$root.log" >&2
    exit 1
}
grep -E 'newly installed|After this' "$root.log" | sed 's/^/   /'
inside "$root" su player -c 'sh /proof/use.sh turnwright /usr'
inside "$root" sh -c 'apt-get purge --yes turnwright && apt-get autoremove --yes --purge' >>"$root.log" 2>&1
report_left "$root" "$own"

say "the portable archive in a bare Debian, as an ordinary user"
root=build/roots/portable
sh packaging/proof/bare_root.sh "$root"
# Every desktop has these. Everything else that Qt needs is in the archive.
furnish "$root" 'libgl1 libegl1 libx11-6 libdbus-1-3 libfontconfig1 libfreetype6 libglib2.0-0 fonts-dejavu-core'
listing "$root" >"$root.before"
cp dist/turnwright-*-linux-*.tar.xz "$root/proof/turnwright.tar.xz"
inside "$root" su player -c 'cd && mkdir unpacked && tar -C unpacked -xJf /proof/turnwright.tar.xz && unpacked/*/install-for-me && rm -r unpacked'
inside "$root" su player -c 'PATH=$HOME/.local/bin:$PATH sh /proof/use.sh turnwright "$HOME/.local"'
inside "$root" su player -c '$HOME/.local/lib/turnwright/uninstall-for-me'
report_left "$root" "$own"
say "both packages were installed, used and removed"
