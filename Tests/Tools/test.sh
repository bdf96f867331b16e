#!/bin/sh
# Builds and runs all tests in two processes at the same time: the tests of commands mostly wait for
# terminals and other processes, and the other tests compute.
# usage: test.sh [FILTER]    FILTER is a regular expression for `swift test --filter`
set -u

swift build --build-tests || exit
if [ $# -gt 0 ]; then exec swift test --skip-build --filter "$1"; fi

commands='^CommandTests[.]'
output=$(mktemp) || exit 1
trap 'kill "$other" 2>/dev/null; rm -f "$output"' EXIT
swift test --skip-build --ignore-lock --filter "$commands" >"$output" 2>&1 &
other=$!
swift test --skip-build --ignore-lock --skip "$commands"
status=$?
wait "$other" || status=$?
cat "$output"
exit "$status"
