#!/bin/sh
# Compares the public interface of the libraries with the committed listing, which CHANGELOG.md must
# name by its SHA-256: so an interface changes only with an entry for its users. Also checks the
# number of public types and symbols. With `write=1` in the environment, it writes the listing.
# Run it in the folder of the repository, after a debug build with the tests.
set -eu
listing=Sources/Library/Interface.txt
modules="Antelope EOSVault"
most_types=40 most_symbols=250

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for module in $modules; do sh Tests/Tools/symbols.sh "$module" "$work"; done
# shellcheck disable=SC2086 # names without spaces
python3 -B - "$work" "$most_types" "$most_symbols" $modules >"$work/listing" <<'END'
import json
import sys

folder, most_types, most_symbols = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
types = symbols = 0
for module in sys.argv[4:]:
    graph = json.load(open(f"{folder}/{module}.symbols.json"))["symbols"]
    symbols += len(graph)
    types += sum(symbol["kind"]["displayName"] in ("Structure", "Class", "Enumeration", "Protocol", "Type Alias")
                 for symbol in graph)
    undocumented = [symbol for symbol in graph if "docComment" not in symbol and len(symbol["pathComponents"]) == 1]
    for symbol in undocumented:
        sys.exit(f"interface: {module}.{symbol['pathComponents'][0]} has no documentation")
    print(f"# {module}")
    for line in sorted(".".join(symbol["pathComponents"][:-1] + [""])
                       + "".join(part["spelling"] for part in symbol["declarationFragments"]) for symbol in graph):
        print(line)
print(f"# {types} types, {symbols} symbols")
if types > most_types or symbols > most_symbols:
    sys.exit(f"interface: {types} types and {symbols} symbols, more than {most_types} and {most_symbols}")
END
if [ "${write:-}" ]; then cp "$work/listing" "$listing"; fi
diff -u "$listing" "$work/listing" || {
    echo "interface: the public interface changed: run \`make interface\` and enter the change in CHANGELOG.md" >&2
    exit 1
}
sum=$(sha256sum "$listing" | cut -c1-16)
grep -q "public interface $sum" CHANGELOG.md || {
    echo "interface: CHANGELOG.md does not have the words \`public interface $sum\`" >&2
    exit 1
}
tail -n 1 "$listing"
