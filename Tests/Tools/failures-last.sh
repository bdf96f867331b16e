#!/bin/sh
# Runs a command, `swift test`, and prints the failed tests again at the end: they are somewhere in
# thousands of lines, and many systems keep only the end of the output.
# usage: failures-last.sh COMMAND ARGUMENT…
set -u

folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
{
    "$@" 2>&1
    echo $? >"$folder/status"
} | tee "$folder/output"
status=$(cat "$folder/status")
[ "$status" = 0 ] && exit 0
# A failure and at most four lines of its comment; the lines of other tests start with a symbol.
failures=$(sed 's/\x1b\[[0-9;]*m//g' "$folder/output" |
    awk '/^✘/ || /error: / { left = / recorded an issue |error: / ? 5 : 0 } /^◇|^✔/ { left = 0 } left-- > 0')
[ -z "$failures" ] || printf '\nFailed:\n%s\n' "$failures"
exit "$status"
