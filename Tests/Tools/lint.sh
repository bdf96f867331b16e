#!/bin/sh
# Checks that a formatter does not make: shell and Python scripts, and text that must not be in the
# tree.
set -eu
cd "$(dirname "$0")/../.."
status=0
complain() {
    echo "lint: $1" >&2
    status=1
}

if command -v shellcheck >/dev/null; then
    shellcheck Tests/Tools/*.sh Packaging/*.sh .ci/run Examples/systemd/sign-batches \
        Examples/systemd/daily-backup Examples/container/eosvault Tests/App/CommandTests/Scripts/tools/* \
        Tests/App/CommandTests/Scripts/page-tools/* || status=1
fi

# Python files are parsed without byte code files, if Python is installed. No line is over 100
# columns, and no file over 400 lines.
# shellcheck disable=SC2046 # names without spaces
if command -v python3 >/dev/null; then
    python3 -c '
import ast, sys
bad = []
for name in sys.argv[1:]:
    text = open(name, encoding="utf-8").read()
    ast.parse(text, name)
    lines = text.splitlines()
    bad += [f"{name}:{number}: a long line" for number, line in enumerate(lines, 1) if len(line) > 100]
    bad += [f"{name} has {len(lines)} lines"] if len(lines) > 400 else []
sys.exit("\n".join(bad) or 0)' $(git ls-files '*.py') || complain "a Python file has a syntax error or is too long"
fi

# Plain English: phrases that are hard to understand, and what to write instead. External texts are
# excluded: ABIs, the word list of BIP-39, and tests that quote these.
grep -v '^#' Tests/Tools/banned-phrases.txt | while IFS="$(printf '\t')" read -r phrase replacement; do
    git grep -niE -e "$phrase" -- Sources Tests Makefile Package.swift .ci '*.md' ':!Tests/Tools/banned-phrases.txt' \
        ':!Sources/Antelope/Transactions/Resources' ':!Sources/Base/WordLists/Resources' &&
        echo "    write instead: $replacement"
done | grep . && complain "a phrase that is not plain English"

# Comments and Markdown wrap at 100 columns, code at 110; the formatter does not wrap texts, which
# may have 120. awk counts bytes in the C locale, so it removes the continuation bytes of UTF-8.
# Markdown tables and code blocks can't be wrapped.
# shellcheck disable=SC2046 # names without spaces
LC_ALL=C awk '
    { text = $0; gsub(/[\200-\277]/, "", text); columns = length(text); limit = 120 }
    FNR == 1 { fenced = 0 }
    FILENAME ~ /\.md$/ {
        if ($0 ~ /^ *```/) fenced = !fenced
        limit = fenced || $0 ~ /^ *\|/ ? columns : 100
    }
    FILENAME ~ /\.(swift|c|h)$/ && /^ *(\/\/|\/?\*)/ { limit = 100 }
    FILENAME !~ /\.(swift|c|h|md)$/ && /^[ \t]*#/ { limit = 100 }
    columns > limit { print FILENAME ":" FNR ": " columns " columns, the limit is " limit }
' $(git ls-files '*.swift' '*.c' '*.h' '*.sh' '*.py' '*.md' Makefile .ci/run) | grep . && complain "a long line"

# Input must not reach a trap. Code that can't be reached uses a precondition, which gives the
# reason.
if git grep -nE '(try!|as!|fatalError\()' -- 'Sources/*.swift'; then complain "a trap that input may reach"; fi
if git grep -nwE '(TODO|FIXME)' -- Sources Tests ':!Tests/Tools/lint.sh'; then complain "unfinished code"; fi
# Its check has the length of the path of the sources, so builds in two folders would differ.
if git grep -n withoutActuallyEscaping -- Sources; then complain "bytes that depend on the folder"; fi
if git grep -nE '\.disabled|withKnownIssue' -- Tests ':!Tests/Tools/lint.sh'; then complain "a disabled test"; fi
if git ls-files | grep -E '(^|/)(Package\.resolved|\.build/)'; then complain "a generated file is tracked"; fi

# Full Foundation doubles the start-up time. FoundationEssentials is all that the argument parser
# needs.
if git grep -nE '^import Foundation' -- 'Sources/*.swift'; then complain "the program imports Foundation"; fi

# At most two files of a target import each C library.
for library in CSQLite CSandbox CScan; do
    git grep -lE "^import $library\$" -- 'Sources/*.swift' | cut -d/ -f3 | sort | uniq -c |
        while read -r count target; do
            if [ "$count" -gt 2 ]; then echo "$target imports $library in $count files"; fi
        done | grep . && complain "a C library is imported in too many files"
done

# Printable.json escapes characters that act on a terminal, so all JSON output must use it.
# The text of a seed is its words.
if git grep -nE '\.text\((\.pretty|\.compact)?\)' -- 'Sources/App/*.swift' 'Sources/Shell/*.swift' |
    grep -v 'SeedPhrase('; then
    complain "JSON is printed without Printable.json"
fi

# Only the benchmark may make signatures that are not checked.
if git grep -n 'signUnchecked' -- Sources ':!Sources/Antelope/Keys' ':!Sources/Programs/eosvault-bench'; then
    complain "the program makes an unchecked signature"
fi

# The last section of SECURITY.md lists the tests of each promise and section, and these exist.
# shellcheck disable=SC2016 # the backquotes are the document's
named=$(sed '1,/^## Tests/d' SECURITY.md | grep -oE '`([A-Z][A-Za-z0-9]+Tests|[a-z-]+\.txt)`' | tr -d '`' | sort -u)
for name in $named; do
    git ls-files Tests | grep -qE "/$name(/|\.swift$|$)" || complain "SECURITY.md names $name, which is no test"
done
# shellcheck disable=SC2016
if sed '/^## Tests/,$d' SECURITY.md | grep -nE '`[A-Z][A-Za-z0-9/]+Tests`|`[a-z-]+\.txt`'; then
    complain "SECURITY.md names a test outside of its last section"
fi
for section in $(grep -oE '^### [0-9]+' SECURITY.md | cut -c 5-) 'What is not trusted' 'PIN strength' 'The audit log' \
    Credentials 'The agent' Policies Seeds 'Wallets of other programs' 'TPMs and authenticators' 'An older copy'; do
    grep -qE "^#.* $section(\.|$)" SECURITY.md || complain "SECURITY.md has no section $section"
    grep -qE "^\| $section \|.*\`" SECURITY.md || complain "a promise without a test: $section"
done
# The map of the sources names types and files that exist.
# shellcheck disable=SC2016
for name in $(grep -oE '`[A-Z][A-Za-z]+[`.(]' Sources/README.md | tr -d '`.(' | sort -u); do
    git grep -qw "$name" -- Sources Tests Package.swift ':!Sources/README.md' ||
        complain "Sources/README.md names $name, which does not exist"
done
# shellcheck disable=SC2016
for name in $(grep -ohE '`make [a-z]+`' SECURITY.md README.md docs/*.md | tr -d '`' | cut -d' ' -f2 | sort -u); do
    if ! grep -q "^$name:" Makefile; then complain "a document names make $name, which is no target"; fi
done

# The first pages and the changes stay short: details are in `docs`, the help, the man pages and the
# DocC pages.
for limit in README.md:270 CHANGELOG.md:60 Sources/README.md:150; do
    lines=$(wc -l <"${limit%:*}")
    if [ "$lines" -gt "${limit#*:}" ]; then complain "${limit%:*} has $lines lines, the limit is ${limit#*:}"; fi
done

# No file over 400 lines, no function or computed property over 60.
sh Tests/Tools/figures.sh --over 400 60 | grep . && complain "a file or a function is too long"

exit $status
