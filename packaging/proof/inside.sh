#!/bin/sh
# Runs a command in a root as root, with /proc, /dev and /tmp like in a running system: `inside.sh ROOT COMMAND...`.
set -eu
exec unshare --mount --pid --fork sh -c '
    root=$1
    shift
    mount -t proc proc "$root/proc"
    mount --rbind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/tmp" -o mode=1777
    exec chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
' inside "$@"
