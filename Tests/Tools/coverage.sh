#!/bin/sh
# Measures the line coverage of the codec modules by the tests. Prints a line for each module, and
# for each of its files below 95 %. Fails when a module is below 95 %.
set -eu
cd "$(dirname "$0")/../.."
build=.build/coverage
tools=$(dirname "$(readlink -f "$(command -v swift)")")
if ! [ -x "$tools/llvm-profdata" ]; then
    echo "coverage: $tools has no llvm-profdata; put the swift of a toolchain first in PATH" >&2
    exit 1
fi
mkdir -p .build
rm -rf $build/debug/codecov
# The build has no tests of the vault, the commands and processes: they add no coverage of the
# codecs, or run another process. `swift test` stops merging at the profile of a child that a test
# killed; these profiles are left out below.
EOSVAULT_COVERAGE=1 swift test --enable-code-coverage --scratch-path $build >$build.log 2>&1 ||
    grep -q '^✔ Test run with' $build.log || {
    tail -n 40 $build.log >&2
    exit 1
}
"$tools/llvm-profdata" merge --failure-mode=all --sparse $build/debug/codecov/*.profraw \
    -o $build/tests.profdata 2>$build.log || {
    cat $build.log >&2
    exit 1
}

low=0
for module in Base/Codecs Base/JSON Base/WordLists Antelope/Keys/Text Antelope/Seeds \
    Antelope/ABICodec Antelope/Transactions \
    Antelope/SigningRequests Exchange/AirGap Exchange/Scanning/Pictures Exchange/HTTPSigning \
    Exchange/WalletAPI Signing/Policy; do
    # Texts of errors are left out: scripts and tests of the commands compare them.
    # The columns are the name of the file, then total, missed and covered of its regions, functions
    # and lines.
    "$tools/llvm-cov" report --ignore-filename-regex='[+](Words|Text)[.]swift$' \
        --instr-profile $build/tests.profdata $build/debug/*.xctest Sources/$module |
        awk -v module=$module '
            NF < 10 || $10 !~ /%$/ { next }
            { enough = ($10 + 0 >= 95) }
            $1 == "TOTAL" {
                printf "%s %6s of %d lines  %s\n", enough ? "ok " : "LOW", $10, $8, module
                passed = enough
                next
            }
            !enough { printf "    %6s, %d of %d lines missed  %s\n", $10, $9, $8, $1 }
            END { exit !passed }' || low=1
done
exit $low
