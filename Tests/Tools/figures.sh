#!/bin/sh
# Prints how large the code is. It counts the files that git tracks.
# usage: figures.sh                     prints all figures
#        figures.sh --over FILE BODY    prints each Swift file of Sources that has more than FILE
#                                       lines, and each function or computed property that has more
#                                       than BODY lines
set -eu
cd "$(dirname "$0")/../.."

# The folders of a group. A folder that does not exist counts as empty.
app_and_shell='Sources/App Sources/Shell'
vault='Sources/Vault'
programs='Sources/Programs'

# Prints the Swift files in these folders, separated by NUL.
files() { for folder; do git ls-files -z "$folder/*.swift"; done; }

# Prints the lines of the code in these folders: all, code, comments, blank, and the columns that
# 95 % of the lines with text do not exceed. A line in a multiline string is code. awk counts bytes
# in the C locale, so it removes the continuation bytes of UTF-8 first.
sizes() {
    files "$@" | xargs -0 -r cat | LC_ALL=C awk '
        { line = $0; quotes = gsub(/"""/, "", line); gsub(/[\200-\277]/, "") }
        !inside && /^[ \t]*$/ { blank++; next }
        { columns[length($0)]++ }
        !inside && /^[ \t]*\/\// { comments++; next }
        { code++ }
        quotes % 2 { inside = !inside }
        END {
            text = code + comments
            for (width = 0; sum < 0.95 * text; width++) sum += columns[width]
            print text + blank, code + 0, comments + 0, blank + 0, text ? width - 1 : 0
        }'
}

# Prints `LINES KIND FILE:LINE DECLARATION` for each function and computed property with a body. The
# formatter ends a body with a brace that has the indentation of its declaration.
bodies() {
    # shellcheck disable=SC2016 # a script for awk
    files Sources | LC_ALL=C xargs -0 awk '
        BEGIN {
            modifiers = "^ *((@[A-Za-z]+|public|package|private|fileprivate|static|final|override|mutating"
            modifiers = modifiers "|consuming|borrowing|nonisolated|convenience|class|prefix|postfix|unsafe) +)*"
            more = "^ *(\\)|\\{|->|throws|async|where)"
        }
        function indentation() { match($0, /^ */); return RLENGTH }
        FNR == 1 { isOpen = inside = 0 }
        { line = $0; quotes = gsub(/"""/, "", line) }
        isOpen && !inside && !/^ *$/ && indentation() <= at {
            if (hasBody && /^ *}/) { print FNR - start + 1, kind, FILENAME ":" start, name; isOpen = 0 }
            else if ($0 ~ more) hasBody = hasBody || /\{ *$/
            # A requirement of a protocol has no body.
            else isOpen = 0
        }
        !isOpen && !inside && !/^ *\/\// {
            words = $0
            gsub(/\([^()]*\)/, "()", words)
            gsub(/@[A-Za-z]+\(\)|nonisolated\(\)/, "final", words)
            sub(modifiers, "", words)
            kind = ""
            if (words ~ /^(func |init[?<(]|deinit |subscript)/) kind = "function"
            else if (words ~ /^var [^=]*\{/) kind = "property"
            if (kind != "") {
                name = $0
                sub(/^ */, "", name)
                sub(/ *\{.*$/, "", name)
                if (/\{.*\} *$/) print 1, kind, FILENAME ":" FNR, name
                else { isOpen = 1; at = indentation(); start = FNR; hasBody = /\{ *$/ }
            }
        }
        quotes % 2 { inside = !inside }'
}

# Prints `LINES FILE` for each file.
lengths() {
    files Sources | xargs -0 awk '
        FNR == 1 && NR > 1 { print lines, file }
        { lines = FNR; file = FILENAME }
        END { print lines, file }'
}

if [ "${1:-}" = --over ]; then
    lengths | awk -v limit="$2" '$1 > limit { print $2 " has " $1 " lines" }'
    bodies | awk -v limit="$3" '$1 > limit { print $3 ": a " $2 " of " $1 " lines" }'
    exit
fi

row() { printf '%-34s %7s  %s\n' "$1" "$2" "${3:-}" | sed 's/ *$//'; }
# arguments: a name, folders
group() {
    name=$1
    shift
    sizes "$@" | while read -r all code comments blank _; do
        row "$name, lines of Swift" "$all" "$code code, $comments comments, $blank blank"
    done
}

group Sources Sources
# shellcheck disable=SC2086 # names without spaces
{
    group 'App and Shell' $app_and_shell
    group Vault $vault
    group Programs $programs
}
for program in eosvault eosvault-scan; do
    sizes "Sources/Programs/$program" | while read -r all _; do
        row "all lines of $program" "$all" 'without libraries'
    done
done
# The targets with their source files below Sources, C modules included.
swift package --ignore-lock dump-package | python3 -c '
import json, sys
def folder(target):
    return target.get("path") or ("Tests/" if target["type"] == "test" else "Sources/") + target["name"]
targets = json.load(sys.stdin)["targets"]
print(sum(folder(target).startswith("Sources/") for target in targets))' | while read -r count; do
    row 'targets below Sources' "$count"
done
row 'folders at the top of Sources' "$(git ls-files Sources | awk -F/ 'NF > 2 { print $2 }' | sort -u | wc -l)"
lengths | sort -rn | head -n 1 | while read -r lines file; do row 'longest file' "$lines" "$file"; done
declarations=$(bodies | sort -rn)
for kind in function property; do
    printf '%s\n' "$declarations" | grep " $kind " | head -n 1 |
        while read -r lines _ place _; do row "longest $kind" "$lines" "$place"; done
done
sizes Sources | while read -r _ code comments _ columns; do
    row 'columns of 95 % of lines' "$columns" 'blank lines are not counted'
    row 'comments' "$((100 * comments / (code + comments))) %" 'of the lines with code or a comment'
done
row 'README.md, lines' "$(wc -l <README.md)"
row 'entries at the top of Tests' "$(git ls-files Tests | cut -d/ -f2 | sort -u | wc -l)"
