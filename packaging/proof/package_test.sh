#!/bin/sh
# `make package-test`: makes the packages, and in bare Debian roots installs, uses and removes them. The first root gets the
# .deb by apt, the second the portable archive, which an ordinary user installs. Everything made stays in build/.
# They are compressed quickly, which changes nothing of what is in them; `--made` takes those that are in dist/ already.
set -eu
cd "$(dirname "$0")/../.."
python=.venv/bin/python
[ "${1:-}" = --made ] || "$python" packaging/package.py --level 1

say() { echo "== $*"; }

inside() { sh packaging/proof/inside.sh "$@"; }

# What a person's desktop has: a display, something that opens files by their kind, keys to press.
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

# All files of a root but those that every use of it changes.
listing() {
    (cd "$1" && find . -xdev \( -path ./proc -o -path ./dev -o -path ./tmp -o -path ./proof -o -path ./var/lib/dpkg \
        -o -path ./var/cache -o -path ./var/log -o -path ./var/lib/apt \) -prune -o -print | sort)
}

tell_left() {
    listing "$1" >"$1.after"
    say "left after removal, and not there before:"
    comm -13 "$1.before" "$1.after" | sed 's/^/   /'
    others=$(comm -13 "$1.before" "$1.after" | grep -v '^\./home/player/' || true)
    strange=$(comm -13 "$1.before" "$1.after" | grep '^\./home/player/' | grep -Ev "$2" || true)
    gone=$(comm -23 "$1.before" "$1.after")
    if [ -n "$others$strange$gone" ]; then
        echo "package-test: more than the person's own files is left, or something else is gone: $others $strange $gone" >&2
        exit 1
    fi
}

# What is a person's own: encounters with their fights, what was printed, settings, library, state, and what the desktop keeps.
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
tell_left "$root" "$own"

say "the portable archive in a bare Debian, as an ordinary user"
root=build/roots/portable
sh packaging/proof/bare_root.sh "$root"
# Any desktop has these; what else Qt needs is in the archive.
furnish "$root" 'libgl1 libegl1 libx11-6 libdbus-1-3 libfontconfig1 libfreetype6 libglib2.0-0 fonts-dejavu-core'
listing "$root" >"$root.before"
cp dist/turnwright-*-linux-*.tar.xz "$root/proof/turnwright.tar.xz"
inside "$root" su player -c 'cd && mkdir unpacked && tar -C unpacked -xJf /proof/turnwright.tar.xz && unpacked/*/install-for-me && rm -r unpacked'
inside "$root" su player -c 'PATH=$HOME/.local/bin:$PATH sh /proof/use.sh turnwright "$HOME/.local"'
inside "$root" su player -c '$HOME/.local/lib/turnwright/uninstall-for-me'
tell_left "$root" "$own"
say "both packages were installed, used and removed"
