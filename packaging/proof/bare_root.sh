#!/bin/sh
# Makes a bare Debian root and keeps it for the next time: `bare_root.sh FOLDER` leaves a fresh copy in FOLDER.
# Needs Linux, root, and debootstrap, which is installed where it is missing. Packages come from where this system's own do.
set -eu
folder=$1
base=build/roots/base

[ "$(uname -s)" = Linux ] && [ "$(id -u)" = 0 ] || {
    echo "proof: this needs Linux and root, for debootstrap and chroot" >&2
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
        echo "proof: /etc/apt names no archive of $suite" >&2
        exit 2
    }
    rm -rf "$base"
    mkdir -p "$base"
    echo "proof: making a bare Debian ($suite) with debootstrap" >&2
    debootstrap --variant=minbase "$suite" "$base" "$mirror" >"$base.log" 2>&1 || {
        tail -n 20 "$base.log" >&2
        exit 2
    }
    # How this system reaches its archive is not ours to know: its settings are copied, and never kept in the tree.
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
