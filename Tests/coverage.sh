#!/bin/sh
# Line coverage of the codec modules by the tests: a line for each module, and for each file of it
# below 95 %. Fails when a module is below.
set -eu
cd "$(dirname "$0")/.."
build=.build/coverage
tools=$(dirname "$(readlink -f "$(command -v swift)")")
if ! [ -x "$tools/llvm-profdata" ]; then
    echo "coverage: $tools has no llvm-profdata; call the swift of a toolchain" >&2
    exit 1
fi
mkdir -p .build
rm -rf $build/debug/codecov
# What tests the vault, the command and the process tells nothing of the codecs that their own tests
# don't, and what is measured is another process. The merging of `swift test` stops at the profile
# of a child that a test killed; those are left out below.
swift test --enable-code-coverage --scratch-path $build --skip '^(KeyVault|Command|Torture|Residue|Sandbox|Machine)Tests' >$build.log 2>&1 || grep -q '^✔ Test run with' $build.log || {
    tail -n 40 $build.log >&2
    exit 1
}
"$tools/llvm-profdata" merge --failure-mode=all --sparse $build/debug/codecov/*.profraw -o $build/tests.profdata 2>$build.log || {
    cat $build.log >&2
    exit 1
}

low=0
for module in Codecs JSON KeyText ABICodec Transactions; do
    # Of a file: its name, then total, missed and covered of its regions, functions and lines.
    "$tools/llvm-cov" report --instr-profile $build/tests.profdata $build/debug/*.xctest Sources/$module |
        awk -v module=$module '
            NF < 10 || $10 !~ /%$/ { next }
            { enough = ($10 + 0 >= 95) }
            $1 == "TOTAL" { printf "%s %6s of %d lines  %s\n", enough ? "ok " : "LOW", $10, $8, module; passed = enough; next }
            !enough { printf "    %6s, %d of %d lines missed  %s\n", $10, $9, $8, $1 }
            END { exit !passed }' || low=1
done
exit $low
