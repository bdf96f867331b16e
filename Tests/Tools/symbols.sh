#!/bin/sh
# Extracts the public symbols of a library, after a debug build.
# Run it in the folder of the repository.
# usage: symbols.sh MODULE FOLDER    FOLDER gets MODULE.symbols.json
set -eu
module=$1 folder=$2
build=$(swift build --show-bin-path)
set --
for map in Sources/C/*/module.modulemap "$build"/C*[!l].build/module.modulemap; do
    set -- "$@" -Xcc "-fmodule-map-file=$map"
done
swift symbolgraph-extract -module-name "$module" -I "$build/Modules" "$@" -minimum-access-level public \
    -skip-synthesized-members -target "$(uname -m)-unknown-linux-gnu" -output-dir "$folder"
