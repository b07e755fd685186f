# Sourced by clone_test.sh and bare_test.sh, with $root and $log set: makes a bare Debian root with make, git, python3 and
# python3-venv, and a clone in it. `there COMMAND` then runs a command in the clone.
# shellcheck shell=sh
# shellcheck disable=SC2154 # the sourcing script sets them
sh packaging/proof/bare_root.sh "$root"
sh packaging/proof/inside.sh "$root" apt-get install --yes --no-install-recommends make git python3 python3-venv >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    exit 2
}
git clone --quiet --no-hardlinks . "$root/root/turnwright"
# Copy this system's settings of pip. They are never kept in the tree.
[ ! -f /etc/pip.conf ] || cp -L /etc/pip.conf "$root/etc/"
for file in .config/pip/pip.conf .pip/pip.conf; do
    [ ! -f "$HOME/$file" ] || install -D "$HOME/$file" "$root/root/$file"
done
env | grep -E '^(PIP_[A-Z_]+|[a-z]+_proxy|SSL_CERT_FILE)=' >"$root/root/variables" || true
for file in $(.venv/bin/python -m pip config list | sed -n "s/.*cert='\(.*\)'/\1/p"); do
    [ ! -f "$file" ] || install -D "$file" "$root$file"
done

# shellcheck disable=SC2046 # no value has a space
there() { sh packaging/proof/inside.sh "$root" env $(cat "$root/root/variables") sh -c "cd /root/turnwright && $1"; }
