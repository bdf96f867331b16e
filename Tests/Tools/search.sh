#!/bin/sh
# Runs the tests with random inputs in their long form: policies and authorities against evaluators
# in Python, text that floods the terminal before a question, codes that are lost and repeated.
# Prints a line for each figure; `make test` runs the short form.
# usage: search.sh PROGRAM
set -eu
EOSVAULT_PROGRAM=$(realpath "$1")
export EOSVAULT_PROGRAM EOSVAULT_SEARCH=long
cd "$(dirname "$0")/../.."
log=.build/search.log

status=0
swift test --filter '\.(RandomPolicy|RandomAuthority|FloodedQuestion|ScanRoundTrip)Tests/' \
    >"$log" 2>&1 || status=$?
sed -n 's/^search: //p' "$log"
grep -E '^✘|^↳|error:' "$log" | head -n 40 || true
grep -E '^[✔✘] Test run' "$log"
exit $status
