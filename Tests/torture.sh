#!/bin/sh
# What breaks vaults, in full: damage, hostile files, power that goes, disks that fail and fill,
# programs that are killed, eight of them at once, and a hundred thousand keys. The release program
# is the one that is killed. Prints a line for each figure; the short form of all this is in `make
# test`.
# usage: torture.sh PROGRAM
# SUBSETS, KILLS, SECONDS and KEYS in the environment change how much is done.
set -eu
EOSVAULT_PROGRAM=$(realpath "$1")
export EOSVAULT_PROGRAM EOSVAULT_TORTURE=long
cd "$(dirname "$0")/.."
log=.build/torture.log

# One suite after the other: what is measured is not to wait for what is tried beside it.
status=0
swift test --no-parallel --filter TortureTests >"$log" 2>&1 || status=$?
sed -n 's/^torture: //p' "$log"
grep -E '^✘|^↳|error:' "$log" | head -n 40 || true
grep -E '^[✔✘] Test run' "$log"
exit $status
