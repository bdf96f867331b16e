#!/bin/sh
# Makes the archive for another machine: the programs, their manual pages, completions and
# examples, the licences of all contents, a software bill of materials, and SHA256SUMS. Two builds
# of one commit in different folders give the same bytes. Run it in the folder of the repository.
# usage: dist.sh STAGE SCAN_STAGE FOLDER
#   STAGE        the output of `make build`
#   SCAN_STAGE   the output of `make scan`
#   FOLDER       gets the archive and its SHA-256
set -eu
stage=$1 scan_stage=$2 folder=$3
umask 022
export LC_ALL=C

version=$("$stage/bin/eosvault" --version)
name=eosvault-$version-linux-$(uname -m)
# The time of all files in the archive.
time=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
mkdir -p "$folder"
work=$(mktemp -d "$folder/dist.XXXXXX")
trap 'rm -rf "$work"' EXIT
tree=$work/$name

mkdir -p "$tree/licenses"
for part in "$stage" "$scan_stage"; do cp -R "$part/bin" "$part/share" "$tree"; done
sh Packaging/docs.sh "$tree"
sh Packaging/components.sh >"$work/components"
while IFS='|' read -r component _ _ _ text _; do
    cp "$text" "$tree/licenses/$component.txt"
done <"$work/components"
# Debian's files name these texts instead of repeating them.
mkdir "$tree/licenses/common-licenses"
grep -rhoE '/usr/share/common-licenses/[A-Za-z0-9.-]*[A-Za-z0-9]' "$tree/licenses" | sort -u | while read -r text; do
    cp "$text" "$tree/licenses/common-licenses"
done
sh Packaging/sbom.sh "$version" "$tree/bin/eosvault" "$tree/bin/eosvault-agent" "$tree/bin/eosvault-token" \
    "$tree/bin/eosvault-scan" \
    <"$work/components" >"$tree/sbom.cdx.json"
chmod -R u=rwX,go=rX "$tree"
(
    cd "$tree"
    find . -type f | sed 's,^\./,,' | sort >../files
    tr '\n' '\0' <../files | xargs -0 sha256sum >SHA256SUMS
)
tar --create --sort=name --format=ustar --owner=0 --group=0 --numeric-owner --mtime="@$time" \
    --directory "$work" "$name" | gzip -9n >"$work/$name.tar.gz"
(cd "$work" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
mv "$work/$name.tar.gz" "$work/$name.tar.gz.sha256" "$folder"
echo "$folder/$name.tar.gz"
