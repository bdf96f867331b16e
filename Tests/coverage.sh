#!/bin/sh
# Line coverage of the codec modules by the tests: a line for each module and for each file below 95 %. Fails when a
# module is below.
set -eu
cd "$(dirname "$0")/.."
build=.build/coverage
tools=$(dirname "$(readlink -f "$(command -v swift)")")
rm -rf "$build"/debug/codecov
# Its own merging stops at the profile of a child that a test killed; those are left out below.
swift test --enable-code-coverage --scratch-path "$build" >"$build.log" 2>&1 || grep -q '^✔ Test run with' "$build.log" || {
    tail -40 "$build.log" >&2
    exit 1
}
"$tools/llvm-profdata" merge --failure-mode=all --sparse "$build"/debug/codecov/*.profraw -o "$build/tests.profdata" 2>/dev/null
"$tools/llvm-cov" export --summary-only --instr-profile "$build/tests.profdata" "$build"/debug/*.xctest >"$build/summary.json"
python3 - "$build/summary.json" <<'END'
import collections, json, sys

CODECS = ["Codecs", "JSON", "KeyText", "ABICodec", "Transactions"]
LEAST = 95
modules, status = collections.defaultdict(lambda: [0, 0]), 0
for file in json.load(open(sys.argv[1]))["data"][0]["files"]:
    parts = file["filename"].split("/Sources/")
    if len(parts) != 2 or parts[1].split("/")[0] not in CODECS:
        continue
    lines = file["summary"]["lines"]
    module = modules[parts[1].split("/")[0]]
    module[0] += lines["covered"]
    module[1] += lines["count"]
    if lines["percent"] < LEAST:
        print(f"     {lines['percent']:5.1f} %  {parts[1]}: {lines['count'] - lines['covered']} of {lines['count']} lines")
for name in CODECS:
    covered, count = modules[name]
    percent = 100 * covered / count
    print(f"{'ok  ' if percent >= LEAST else 'LOW '} {percent:5.1f} %  {name}: {covered} of {count} lines")
    status |= percent < LEAST
sys.exit(status)
END
