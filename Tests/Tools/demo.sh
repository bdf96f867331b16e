#!/bin/sh
# Shows the main task on real input: creates a vault, imports a key, signs a transaction, and
# compares the signature with that of cleos.
# usage: demo.sh PROGRAM EXAMPLES
set -eu

program=$(realpath "$1")
examples=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/state"

step() { printf '\n$ %s\n' "$*"; }

# A public throw-away key and PIN. For real keys, type them at the prompts, which do not show them.
umask 077
printf '%s\n' 'a passphrase of several words' >pin
cp "$examples/throwaway-key.txt" key

step eosvault init --pin-file pin
"$program" init --pin-file pin
step eosvault import key --label demo --pin-file pin
"$program" import key --label demo --pin-file pin
step eosvault list
"$program" list
step eosvault sign transfer.json --chain eos --key demo --yes -o signed.json --pin-file pin
"$program" sign "$examples/transfer.json" --chain eos --key demo --yes -o signed.json --pin-file pin

signature() { grep -o 'SIG_K1_[1-9A-HJ-NP-Za-km-z]*' "$1"; }
ours=$(signature signed.json)
cleos=$(signature "$examples/transfer.signed.json")
printf '\nthis vault: %s\ncleos:      %s\n' "$ours" "$cleos"
[ "$ours" = "$cleos" ] || {
    echo "the signatures differ" >&2
    exit 1
}
echo "the same, byte for byte"
