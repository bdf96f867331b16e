#!/bin/sh
# What a formatter does not see: shell scripts, and things that must not be in the tree.
set -eu
cd "$(dirname "$0")/.."
status=0
complain() {
    echo "lint: $1" >&2
    status=1
}

if command -v shellcheck >/dev/null; then
    shellcheck Tests/*.sh .ci/run || status=1
fi

# A trap that input could reach; what can't be reached says why by a precondition.
if git grep -nE '(try!|as!|fatalError\()' -- 'Sources/*.swift'; then complain "a trap"; fi
if git grep -nwE '(TODO|FIXME)' -- Sources Tests ':!Tests/lint.sh'; then complain "something left undone"; fi
if git grep -nE '\.disabled|withKnownIssue' -- Tests ':!Tests/lint.sh'; then complain "a test that does not run"; fi
if git ls-files | grep -E '(^|/)(Package\.resolved|\.build/)'; then complain "tracked, and should not be"; fi

# Full Foundation doubles the start-up; its essentials are all that the argument parser needs.
if git grep -nE '^import Foundation' -- 'Sources/*.swift'; then complain "Foundation in the program"; fi

# C stays behind one file a library.
for library in CSodium CSecp256k1 CCrypto CSQLite CZlib; do
    git grep -lE "^import $library\$" -- 'Sources/*.swift' | cut -d/ -f2 | sort | uniq -c | while read -r count target; do
        if [ "$count" -gt 2 ]; then echo "$target imports $library in $count files"; fi
    done | grep . && complain "C in more files than one or two a target"
done

# A signature that was compared with nothing is for the benchmark.
if git grep -n 'signUnchecked' -- Sources ':!Sources/Curves' ':!Sources/eosvault-bench'; then complain "an unchecked signature"; fi

git ls-files 'Sources/*.swift' | while read -r file; do
    lines=$(wc -l <"$file")
    if [ "$lines" -gt 420 ]; then echo "$file has $lines lines"; fi
done | grep . && complain "a long file"

exit $status
