#!/bin/sh
# Searches for residues of secrets, in the long form. Each command that processes a secret runs from
# system call to system call. At each output, and at the end, all of its memory and registers are
# searched for every secret in every form. Prints a line for each figure; `make test` runs the short
# form.
# usage: residue.sh PROGRAM
set -eu
EOSVAULT_PROGRAM=$(realpath "$1")
export EOSVAULT_PROGRAM EOSVAULT_RESIDUE=long
cd "$(dirname "$0")/../.."
log=.build/residue.log

status=0
swift test --filter ResidueTests >"$log" 2>&1 || status=$?
sed -n 's/^residue: //p' "$log"
grep -E '^✘|^↳|^  eosvault|error:' "$log" | head -n 60 || true
grep -E '^[✔✘] Test run' "$log"
exit $status
