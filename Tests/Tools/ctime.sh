#!/bin/sh
# Tests constant time: runs the release build of the library under valgrind, with the secrets of
# Tests/Process/CTime marked as uninitialised. Fails on a branch or an address that depends on a
# secret, and on a division in code that processes secrets. Also fails if a case did not run, if a
# planted fault is not detected, or if a suppression is not needed or matches more places than it
# lists.
# usage: ctime.sh PROGRAM RELEASED    PROGRAM is built with EOSVAULT_CTIME=1
set -eu
program=$(realpath "$1")
released=$(realpath "$2")
cd "$(dirname "$0")/../.."
suppressions=Tests/Process/CTime/ctime.supp
work=.build/ctime/work
mkdir -p $work
# Without this, a crash waits in Swift's backtracer.
export SWIFT_BACKTRACE=enable=no

complain() {
    echo "ctime: $1" >&2
    exit 1
}
# Demangles Swift's names.
words() { if command -v swift >/dev/null; then swift demangle --simplified; else cat; fi; }

# valgrind does not read the debug information of newer compilers (DWARF 5); the symbols are enough
# for names.
objcopy --strip-debug "$program" $work/program
# The option --expensive-definedness-checks makes valgrind track sums and comparisons exactly, bit
# by bit.
watch() { # log, options and command
    log=$1
    shift
    valgrind --quiet --error-exitcode=99 --error-limit=no --num-callers=16 --expensive-definedness-checks=yes \
        --log-file="$log" "$@"
}

# The released program must contain no call of these functions: there they are inlined and compile
# to no instruction.
# shellcheck disable=SC2016 # a name begins with a dollar sign
marks='(call|bl) .*<(memcheck_|\$s12SecureMemory(9disclosed|8disclose|8classify|0A5BytesV8classify))'
if objdump -d --no-show-raw-insn "$released" | grep -E "$marks" >&2; then
    complain "$released calls functions that only valgrind needs"
fi

# The cases, and at the same time the same cases without the suppressions.
$work/program list >$work/cases
watch $work/bare.log $work/program run >/dev/null &
bare=$!
status=0
watch $work/cases.log -s --suppressions=$suppressions $work/program run >$work/ran || status=$?
grep '^ran ' $work/ran || true
if [ $status -ne 0 ]; then
    # Runs again to report the origin of the secret values.
    watch $work/cases.log --track-origins=yes --suppressions=$suppressions $work/program run >/dev/null || true
    grep -v 'used_suppression' $work/cases.log | words >&2
    complain "time depends on a secret, or a case failed; see the log $work/cases.log"
fi
sed -n 's/^ran //p' $work/ran | diff $work/cases - >&2 || complain "a case did not run"

# Each suppression must be needed, and must match no more instructions than it lists.
wait $bare && complain "valgrind reports nothing without the suppressions"
awk -v used="$work/cases.log" '
    FILENAME == ARGV[1] {
        if ($1 == "{") { entries++; frames[entries] = 0; line = 0; next }
        if ($1 ~ /^#/ || $1 == "}" || NF == 0) next
        line++
        if (line == 1) { name[entries] = $1; split($2, parts, "="); places[entries] = parts[2] }
        else if (line == 2) kind[entries] = ($1 ~ /Cond$/) ? "Conditional" : "Use"
        else { sub(/^fun:/, "", $1); frame[entries, ++frames[entries]] = $1 }
        next
    }
    # A report: its kind, then its frames from the innermost on.
    / (Conditional jump|Use of uninitialised)/ { judge(); depth = 0; what = $2; next }
    / (at|by) 0x/ { depth++; if (depth == 1) address = $3; stack[depth] = $4 }
    END {
        judge()
        while ((getline text < used) > 0) if (text ~ /used_suppression/) { split(text, parts); needed[parts[4]] = 1 }
        for (entry = 1; entry <= entries; entry++) {
            if (!(name[entry] in needed)) { print "ctime: the suppression " name[entry] " is not needed"; bad = 1 }
            if (count[entry] != places[entry]) {
                print "ctime: the suppression " name[entry] " matches " count[entry] + 0 " places, not " places[entry]
                bad = 1
            }
        }
        exit bad
    }
    function judge(   entry, at) {
        if (!depth) return
        for (entry = 1; entry <= entries; entry++) {
            if (kind[entry] != what || frames[entry] > depth) continue
            for (at = 1; at <= frames[entry] && matches(stack[at], frame[entry, at]); at++) continue
            if (at > frames[entry]) { if (!seen[entry, address]++) count[entry]++; return }
        }
    }
    # A frame may end with a wildcard, as in valgrind.
    function matches(name, pattern) {
        return name == pattern || (sub(/\*$/, "", pattern) && index(name, pattern) == 1)
    }' $suppressions $work/bare.log >&2 || exit 1

# Each source line that classifies or discloses must have processed secret data in a case. A line
# that no case reaches proves nothing, and public data needs no disclosure.
grep -rnE '\b(disclosed?|classify)\(' Sources --include='*.swift' |
    grep -vE '^Sources/Base/SecureMemory/Disclosure.swift|^[^:]*:[0-9]*: *///?' |
    sed -E 's,^Sources/[^/]*/([^/]*)/([^:]*/)?([^/:]*):([0-9]*):.*,\1/\3:\4,' | sort >$work/sites
sed -n 's/^site \(.*\) \([1-9][0-9]*\)$/\1 \2/p' $work/ran | grep -v '^eosvault_ctime/' | sort >$work/used
cut -d ' ' -f 1 $work/used | diff $work/sites - >&2 ||
    complain "the lines that classify or disclose (<) differ from those that a case reached with a secret (>)"
sed 's/^/passed /; s/ \([0-9]*\)$/: \1 times/' $work/used

# valgrind must detect the planted faults.
$work/program plants >$work/plants
while read -r name report; do
    status=0
    watch $work/plant.log $work/program plant "$name" >/dev/null || status=$?
    case $report in
    nothing) [ $status -eq 0 ] || complain "valgrind reports the plant $name, which has no secret" ;;
    *)
        [ $status -eq 99 ] || complain "valgrind does not detect the planted fault $name"
        grep -q "$report" $work/plant.log || complain "valgrind reports the planted fault $name in another way"
        ;;
    esac
    echo "saw $name: $report"
done <$work/plants

# valgrind does not report a division, but its duration depends on the operands. The divisions
# allowed here have public operands: the text of public keys, the size of a journal, the KDF cost,
# and the strength of a PIN.
# shellcheck disable=SC2016 # a name begins with a dollar sign
objdump -d --no-show-raw-insn $work/program | awk '
    /^[0-9a-f]+ <.*>:/ { function_name = substr($2, 2, length($2) - 3) }
    function_name !~ /^\$s(6Codecs|12SecureMemory|9WordLists|4Keys|5Seeds|8KeyVault|11HTTPSigning)/ &&
        function_name !~ /^\$s(12OtherWallets|3TPM|5FIDO2)/ &&
        function_name !~ /^((tpm|fido2|hmac|aes)_)/ { next }
    { functions[function_name] }
    /\t([iu]?div[a-z]*|sdiv|v?div[ps][sd]|v?sqrt[ps][sd]) / || /<__u?(div|mod)[a-z]*[0-9]>/ {
        if (function_name ~ /^\$s6Codecs6Base58O6encodeySSSays5UInt8VGFZ$/) next
        if (function_name !~ /^\$s8KeyVault(0B7Journal|7KDFCost|11PINStrength)/) print function_name
    }
    END {
        for (each in functions) count++
        if (count < 500) print "only " count + 0 " functions were found"
    }' | sort -u >$work/divisions
if [ -s $work/divisions ]; then
    words <$work/divisions >&2
    complain "these functions divide, and their operands may be secret"
fi

places=$(grep -o 'places=[0-9]*' $suppressions | awk -F= '{ sum += $2 } END { print sum }')
echo "ctime: $(wc -l <$work/cases) cases, $(wc -l <$work/sites) lines that classify or disclose," \
    "$(wc -l <$work/plants) planted faults, $(grep -c '^{' $suppressions) suppressions of $places places" \
    "in three libraries; no timing depends on a secret"
