#!/bin/sh
# Writes Packaging/order.txt: the functions that start the program and sign a transaction. The
# linker places them first, so that these commands read few pages of the program. A function that is
# missing in the list only costs time and memory. Run this again after large changes.
# usage: order.sh PROGRAM EXAMPLES
set -eu

program=$(realpath "$1")
examples=$(realpath "$2")
list=$(realpath "$(dirname "$0")")/order.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/state"

umask 077
printf '%s\n' 'a passphrase of several words' >pin
tr -d '\n' <"$examples/transfer.json" >lines
echo >>lines
"$program" init --pin-file pin --insecure-kdf --kdf-memory 8KiB --kdf-passes 1
"$program" import "$examples/throwaway-key.txt" --pin-file pin

# valgrind does not read the debug information of newer compilers (DWARF 5).
objcopy --strip-debug "$program" program
nm --defined-only "$program" | awk '$2 ~ /^[tTwW]$/ { print $3 }' | LC_ALL=C sort -u >defined
: >order

# Adds the functions that a command calls and that are not in the list yet, so that an earlier
# command reads the first pages only.
add() {
    valgrind --quiet --tool=callgrind --demangle=no --callgrind-out-file=calls ./program "$@" >/dev/null
    sed -n "s/^c\{0,1\}fn=([0-9]*) //p" calls | sed "s/'[0-9]*\$//" | sort -u >called
    awk 'FILENAME == "order" { seen[$0]; next }
        FILENAME == "called" { called[$0]; next }
        $0 in called && !($0 in seen) { seen[$0]; print }' order called defined >new
    cat new >>order
}
add chains
add list
add sign "$examples/transfer.json" --chain eos --yes --pin-file pin
add sign --lines lines --chain eos --yes --pin-file pin
mv order "$list"
wc -l "$list"
