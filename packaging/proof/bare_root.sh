#!/bin/sh
# Creates a bare Debian root, keeps it for the next time, and copies it: `bare_root.sh FOLDER` makes a fresh copy in FOLDER.
# Needs Linux, root, and debootstrap, which is installed if it is missing. Packages come from this system's own sources.
set -eu
folder=$1
base=build/roots/base

[ "$(uname -s)" = Linux ] && [ "$(id -u)" = 0 ] || {
    echo "bare_root: expected Linux and root, for debootstrap and chroot" >&2
    exit 2
}
if ! command -v debootstrap >/dev/null 2>&1; then
    apt-get update >/dev/null 2>&1 || true
    DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends debootstrap >/dev/null
fi
if [ ! -f "$base.done" ]; then
    suite=$(. /etc/os-release && echo "$VERSION_CODENAME")
    mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' "Codename: $suite" | head -n 1)
    [ -n "$mirror" ] || {
        echo "bare_root: /etc/apt has no archive for $suite" >&2
        exit 2
    }
    rm -rf "$base"
    mkdir -p "$base"
    echo "bare_root: creating a bare Debian ($suite) with debootstrap" >&2
    debootstrap --variant=minbase "$suite" "$base" "$mirror" >"$base.log" 2>&1 || {
        tail -n 20 "$base.log" >&2
        exit 2
    }
    # Copy this system's settings for reaching its archive. They are never kept in the tree.
    rm -rf "$base/etc/apt"
    cp -a /etc/apt "$base/etc/apt"
    cp -L /etc/resolv.conf /etc/hosts "$base/etc/"
    rm -f "$base"/etc/apt/apt.conf.d/*packagekit "$base"/etc/apt/apt.conf.d/*appstream
    chroot "$base" apt-get update >>"$base.log" 2>&1 || {
        tail -n 20 "$base.log" >&2
        exit 2
    }
    touch "$base.done"
fi
rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
cp -a "$base" "$folder"
