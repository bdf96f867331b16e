#!/bin/sh
# Installs missing libraries that the build needs, with apt as root or with sudo. Otherwise it lists
# them.
# usage: install-dependencies.sh [chain]    chain: also the packages that `make chain` needs
set -eu

missing=""
need() { # file package
    for folder in /usr/include /usr/lib/x86_64-linux-gnu /usr/lib/aarch64-linux-gnu /usr/include/x86_64-linux-gnu; do
        if [ -e "$folder/$1" ]; then return; fi
    done
    missing="$missing $2"
}

need sodium.h libsodium-dev
need secp256k1_recovery.h libsecp256k1-dev
need libcrypto.a libssl-dev
need sqlite3.h libsqlite3-dev
need zlib.h zlib1g-dev
need valgrind/memcheck.h valgrind
command -v valgrind >/dev/null || missing="$missing valgrind"
command -v strace >/dev/null || missing="$missing strace"
command -v readelf >/dev/null || missing="$missing binutils"
if [ "${1:-}" = chain ]; then
    # Debian's python3 has venv, but not the packages that venv needs.
    python3 -c 'import ensurepip, venv' 2>/dev/null || missing="$missing python3-venv"
fi

command -v swift >/dev/null || {
    echo "Swift 6.2 or newer is missing; see https://www.swift.org/install/linux" >&2
    exit 1
}
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
    echo "these packages are missing (Debian names):$missing" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    echo "these packages are missing; install them with: sudo apt-get install$missing" >&2
    exit 1
fi
echo "installing$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq $missing >/dev/null
