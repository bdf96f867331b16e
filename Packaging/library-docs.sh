#!/bin/sh
# Makes static pages of the documentation of the libraries, after a debug build. A warning of docc,
# such as a link that leads nowhere, is an error.
# Run it in the folder of the repository.
# usage: library-docs.sh FOLDER    FOLDER is replaced; any web server can serve it
set -eu
folder=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rm -rf "$folder"
mkdir -p "$folder"
for module in Antelope EOSVault; do
    mkdir "$work/$module"
    sh Tests/Tools/symbols.sh "$module" "$work/$module"
    docc convert "Sources/Library/$module/$module.docc" --additional-symbol-graph-dir "$work/$module" \
        --fallback-display-name "$module" --fallback-bundle-identifier "eosvault.$module" \
        --transform-for-static-hosting --hosting-base-path "$module" --warnings-as-errors \
        --output-path "$folder/$module"
    [ -e "$folder/$module/documentation/$(echo "$module" | tr '[:upper:]' '[:lower:]')/index.html" ] || {
        echo "library-docs: docc made no page of $module" >&2
        exit 1
    }
done
echo "the pages are in $folder"
