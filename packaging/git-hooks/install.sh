#!/bin/sh
# Installs the Git hooks of this folder in a developer's clone. An existing hook of the same name is kept.
set -eu
cd "$(dirname "$0")"
hooks=$(git rev-parse --git-path hooks 2>/dev/null) || exit 0 # not a clone: an unpacked archive
mkdir -p "$hooks"
for hook in commit-msg; do
    [ -e "$hooks/$hook" ] || { cp "$hook" "$hooks/$hook" && chmod +x "$hooks/$hook"; }
done
