#!/bin/sh
# Constant time: the release build of the library under valgrind, with the secrets of Tests/CTime
# marked uninitialised. Fails on a branch or an address that depends on one, on a case that did not
# run, on a suppression that was not needed or hides more than it says, on a planted fault that goes
# unseen, and on a division in what handles secrets.
# usage: ctime.sh PROGRAM RELEASED, the first one built with EOSVAULT_CTIME=1
set -eu
program=$(realpath "$1")
released=$(realpath "$2")
cd "$(dirname "$0")/.."
suppressions=Tests/CTime/ctime.supp
work=.build/ctime/work
mkdir -p $work
# A crash would otherwise wait in the backtracer.
export SWIFT_BACKTRACE=enable=no

complain() {
    echo "ctime: $1" >&2
    exit 1
}
# Swift's names in words.
words() { if command -v swift >/dev/null; then swift demangle --simplified; else cat; fi; }

# valgrind does not read the debug information of newer compilers (DWARF 5); the symbols are what
# names need.
objcopy --strip-debug "$program" $work/program
# Sums and comparisons are followed bit by bit, not guessed at.
watch() { # log, options and command
    log=$1
    shift
    valgrind --quiet --error-exitcode=99 --error-limit=no --num-callers=16 --expensive-definedness-checks=yes --log-file="$log" "$@"
}

# In the program itself nothing calls any of this: what is public there is inlined, and is no
# instruction.
# shellcheck disable=SC2016 # a name begins with a dollar sign
if objdump -d --no-show-raw-insn "$released" | grep -E '(call|bl) .*<(memcheck_|\$s12SecureMemory(9disclosed|8disclose|8classify|0A5BytesV8classify))' >&2; then
    complain "$released calls what is for valgrind"
fi

# The cases.
$work/program list >$work/cases
status=0
watch $work/cases.log -s --suppressions=$suppressions $work/program run >$work/ran || status=$?
grep '^ran ' $work/ran || true
if [ $status -ne 0 ]; then
    # Again, to tell where what was secret came from.
    watch $work/cases.log --track-origins=yes --suppressions=$suppressions $work/program run >/dev/null || true
    grep -v 'used_suppression' $work/cases.log | words >&2
    complain "time depends on a secret, or a case failed (the log is $work/cases.log)"
fi
sed -n 's/^ran //p' $work/ran | diff $work/cases - >&2 || complain "a case did not run"

# The suppressions: each is needed, and means no more instructions than it says.
watch $work/bare.log $work/program run >/dev/null && complain "nothing is suppressed"
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
    # A report: what it is, then its frames from the innermost on.
    / (Conditional jump|Use of uninitialised)/ { judge(); depth = 0; what = $2; next }
    / (at|by) 0x/ { depth++; if (depth == 1) address = $3; stack[depth] = $4 }
    END {
        judge()
        while ((getline text < used) > 0) if (text ~ /used_suppression/) { split(text, parts); needed[parts[4]] = 1 }
        for (entry = 1; entry <= entries; entry++) {
            if (!(name[entry] in needed)) { print "ctime: nothing needs the suppression " name[entry]; bad = 1 }
            if (count[entry] != places[entry]) {
                print "ctime: " name[entry] " is " count[entry] + 0 " places, not " places[entry]; bad = 1
            }
        }
        exit bad
    }
    function judge(   entry, at) {
        if (!depth) return
        for (entry = 1; entry <= entries; entry++) {
            if (kind[entry] != what || frames[entry] > depth) continue
            for (at = 1; at <= frames[entry] && stack[at] == frame[entry, at]; at++) continue
            if (at > frames[entry]) { if (!seen[entry, address]++) count[entry]++; return }
        }
    }' $suppressions $work/bare.log >&2 || exit 1

# Each line of the sources that classifies or discloses has done so with something secret: what a
# case does not come by proves nothing, and what is public already needs no excuse.
grep -rnE '\b(disclosed?|classify)\(' Sources --include='*.swift' | grep -vE '^Sources/SecureMemory/Disclosure.swift|^[^:]*:[0-9]*: *///?' |
    sed -E 's,^Sources/([^/]*)/([^:]*/)?([^/:]*):([0-9]*):.*,\1/\3:\4,' | sort >$work/sites
sed -n 's/^site \(.*\) \([1-9][0-9]*\)$/\1 \2/p' $work/ran | grep -v '^eosvault_ctime/' | sort >$work/used
cut -d ' ' -f 1 $work/used | diff $work/sites - >&2 || complain "places where secrets begin or end (<) are not those that were come by with one (>)"
sed 's/^/passed /; s/ \([0-9]*\)$/: \1 times/' $work/used

# What must be seen.
$work/program plants >$work/plants
while read -r name report; do
    status=0
    watch $work/plant.log $work/program plant "$name" >/dev/null || status=$?
    case $report in
    nothing) [ $status -eq 0 ] || complain "the plant $name, which has no secret, is reported" ;;
    *)
        [ $status -eq 99 ] || complain "the planted $name goes unseen"
        grep -q "$report" $work/plant.log || complain "the planted $name is seen as something else"
        ;;
    esac
    echo "saw $name: $report"
done <$work/plants

# valgrind follows a division and says nothing, but how long it takes depends on the numbers. What
# divides here divides public ones: text of public keys, the size of a journal, the cost of a
# derivation, the strength of a PIN.
# shellcheck disable=SC2016 # a name begins with a dollar sign
objdump -d --no-show-raw-insn $work/program | awk '
    /^[0-9a-f]+ <.*>:/ { function_name = substr($2, 2, length($2) - 3) }
    function_name !~ /^\$s(6Codecs|12SecureMemory|7Digests|6Curves|7KeyText|8KeyVault)/ { next }
    { functions[function_name] }
    /\t([iu]?div[a-z]*|sdiv|v?div[ps][sd]|v?sqrt[ps][sd]) / || /<__u?(div|mod)[a-z]*[0-9]>/ {
        if (function_name !~ /^\$s6Codecs6Base58O6encodeySSSays5UInt8VGFZ$|^\$s8KeyVault(0B7Journal|7KDFCost|11PINStrength)/) print function_name
    }
    END { for (each in functions) count++; if (count < 500) print "only " count + 0 " functions were found" }' | sort -u >$work/divisions
if [ -s $work/divisions ]; then
    words <$work/divisions >&2
    complain "these divide, and may be given a secret"
fi

echo "ctime: $(wc -l <$work/cases) cases, $(wc -l <$work/sites) places where a secret begins or ends, $(wc -l <$work/plants) plants, $(grep -c '^{' $suppressions) suppressions of $(grep -o 'places=[0-9]*' $suppressions | awk -F= '{ sum += $2 } END { print sum }') places in three libraries; no time depends on a secret"
