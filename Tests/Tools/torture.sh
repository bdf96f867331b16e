#!/bin/sh
# Tests everything that can damage a vault, in the long form: corruption, hostile files, power loss,
# failing and full disks, killed programs, eight processes at once, and a hundred thousand keys. It
# kills the release program. Prints a line for each figure; `make test` runs the short form.
# usage: torture.sh PROGRAM
# SUBSETS, KILLS, SECONDS and KEYS in the environment change how much is done.
set -eu
EOSVAULT_PROGRAM=$(realpath "$1")
export EOSVAULT_PROGRAM EOSVAULT_TORTURE=long
cd "$(dirname "$0")/../.."
log=.build/torture.log

# Suites run one after the other, so that tests do not disturb measurements.
status=0
swift test --no-parallel --filter TortureTests >"$log" 2>&1 || status=$?
sed -n 's/^torture: //p' "$log"
grep -E '^✘|^↳|error:' "$log" | head -n 40 || true
grep -E '^[✔✘] Test run' "$log"
exit $status
