#!/bin/sh
# `make bare-test`: `make quick` in a clone on a bare Debian, with its own Python. Skipped with the reason where no bare
# Debian can be made: it needs Linux, root, an archive of Debian, and a kernel that lets processes have their own mounts.
set -eu
cd "$(dirname "$0")/../.."
root=build/roots/bare
log=build/roots/bare.log

skip() {
    echo "bare-test: skipped: $*" >&2
    exit 0
}
[ "$(uname -s)" = Linux ] || skip "this is not Linux"
[ "$(id -u)" = 0 ] || skip "only root can make a bare Debian"
unshare --mount --pid --fork true 2>/dev/null || skip "processes can't have their own mounts here"
mkdir -p build/roots
sh packaging/proof/bare_root.sh "$root" 2>"$log" || skip "no bare Debian could be made: $(tail -n 1 "$log")"

. packaging/proof/bare_clone.sh
echo "bare-test: $(there 'python3 --version') in a bare Debian"
there 'make quick' >>"$log" 2>&1 || {
    tail -n 60 "$log" >&2
    exit 1
}
tail -n 1 "$log"
