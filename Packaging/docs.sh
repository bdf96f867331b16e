#!/bin/sh
# Copies the documentation with all files that it links to.
# usage: docs.sh FOLDER
set -eu
mkdir -p "$1"
cp -R README.md SECURITY.md CHANGELOG.md LICENSE docs Examples "$1"
find CONTRIBUTING.md Sources Vectors -name '*.md' -exec cp --parents -t "$1" {} +
rm -rf "$1/Examples/wallet/.build"
