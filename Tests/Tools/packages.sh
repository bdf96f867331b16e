#!/bin/sh
# Tests the archive of `make dist` and the packages of `make deb`: their bytes do not depend on when
# and where they are made, their contents are complete, and the program in them signs. As root it
# also installs and removes the packages below a temporary folder.
# usage: packages.sh STAGE SCAN_STAGE EXAMPLES
#   STAGE        the output of `make build`
#   SCAN_STAGE   the output of `make scan`
#   EXAMPLES     Vectors/examples
set -eu
stage=$1 scan_stage=$2 examples=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "packages: $1" >&2
    exit 1
}

# A copy of the files with other times, in another folder.
cp -R "$stage" "$work/stage"
cp -R "$scan_stage" "$work/scan_stage"
sh Packaging/dist.sh "$stage" "$scan_stage" "$work/one" >"$work/path"
sh Packaging/dist.sh "$work/stage" "$work/scan_stage" "$work/two" >/dev/null
archive=$(cat "$work/path")
cmp "$archive" "$work/two/$(basename "$archive")" || fail "two archives differ"

# The archive: each file has its hash, each component its licence, and nothing names the folder of
# the build.
(cd "$work/one" && sha256sum --check --quiet ./*.sha256)
tar --extract --file "$archive" --directory "$work"
tree=$work/$(basename "$archive" | sed 's/\.tar\.gz$//')
(cd "$tree" && sha256sum --check --quiet SHA256SUMS)
(cd "$tree" && find . -type f ! -name SHA256SUMS | wc -l) >"$work/files"
[ "$(wc -l <"$tree/SHA256SUMS")" = "$(cat "$work/files")" ] || fail "SHA256SUMS does not list all files"
sh Packaging/components.sh | cut -d'|' -f1 | while read -r name; do
    [ -s "$tree/licenses/$name.txt" ] || fail "the licence of $name is missing"
    grep -q "\"bom-ref\": \"$name\"" "$tree/sbom.cdx.json" || fail "$name is not in the bill of materials"
done
for program in eosvault eosvault-agent eosvault-token eosvault-scan; do
    ! grep -qF "$PWD" "$tree/bin/$program" || fail "$program contains the path of the build"
    # The hashes of modules are zeros (Packaging/stage.sh).
    objcopy -O binary --only-section=.swift_modhash "$tree/bin/$program" "$work/hashes"
    [ -s "$work/hashes" ] || fail "$program has no section .swift_modhash"
    [ -z "$(tr -d '\0' <"$work/hashes")" ] || fail "$program has hashes of modules"
    [ -s "$tree/share/man/man1/$program.1" ] || fail "the manual page of $program is missing"
    grep -q "\"bom-ref\": \"$program\"" "$tree/sbom.cdx.json" || fail "$program is not in the bill of materials"
done
[ "$(stat -c %s "$tree/bin/eosvault")" -le 23000000 ] || fail "eosvault is larger than 23 MB"
# The links of the documentation lead to files.
for documents in "$tree" "$tree/share/doc/eosvault"; do
    for page in "$documents"/*.md "$documents"/docs/*.md "$documents"/Examples/README.md \
        "$documents"/Examples/*/README.md; do
        grep -o '](\.*[A-Za-z][^)#:]*[)#]' "$page" | sed 's/^](//; s/[)#]$//' | while read -r link; do
            [ -e "$(dirname "$page")/$link" ] || fail "$page: $link does not exist"
        done
    done
done
sh Tests/Tools/demo.sh "$tree/bin/eosvault" "$examples" >"$work/demo" || fail "the program of the archive does not sign"

for program in eosvault-agent eosvault-token eosvault-scan; do
    [ "$("$tree/bin/eosvault" --version)" = "$("$tree/bin/$program" --version)" ] || fail "two versions in one archive"
done
# The program of the archive reads a code that the other one made.
"$tree/bin/eosvault" transaction pack "$examples/transfer.json" --chain eos --qr-file "$work/code.png" >"$work/packed"
"$tree/bin/eosvault-scan" "$work/code.png" | "$tree/bin/eosvault" transaction pack - | cmp - "$work/packed" ||
    fail "eosvault-scan of the archive does not read a code"

# The packages
is_json() { python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$1"; }
is_json "$tree/sbom.cdx.json" || fail "the bill of materials is not JSON"
examine() {
    program=$1 files=$2
    sh Packaging/deb.sh "$program" "$files" "$work/one" >"$work/path"
    package=$(cat "$work/path")
    cp -R "$files" "$work/copy-$program"
    sh Packaging/deb.sh "$program" "$work/copy-$program" "$work/two" >/dev/null
    cmp "$package" "$work/two/$(basename "$package")" || fail "two packages of $program differ"
    lintian --fail-on error,warning --tag-display-limit 0 --allow-root "$package" ||
        fail "lintian finds faults in $program"
    # Older versions can't load packed relocations.
    dpkg-deb --field "$package" Depends | grep -qE 'libc6 \(>= 2\.(3[6-9]|[4-9][0-9])\)' ||
        fail "$program does not need glibc 2.36"
    dpkg-deb --extract "$package" "$work/extracted"
    doc=$work/extracted/usr/share/doc/$program
    sh Packaging/components.sh "$program" | cut -d'|' -f1 | while read -r name; do
        [ -s "$doc/licenses/$name.txt" ] || fail "the package of $program lacks the licence of $name"
    done
    is_json "$doc/sbom.cdx.json" || fail "the bill of materials is not JSON"
    [ "$(dpkg-deb --field "$package" Maintainer)" = "${MAINTAINER:-Local build <nobody@eosvault.invalid>}" ] ||
        fail "the package has another maintainer"
    MAINTAINER='Alice <alice@example.com>' sh Packaging/deb.sh "$program" "$files" "$work/three" >"$work/path"
    [ "$(dpkg-deb --field "$(cat "$work/path")" Maintainer)" = 'Alice <alice@example.com>' ] ||
        fail "MAINTAINER is not used"
    for file in "$files"/bin/*; do
        name=$(basename "$file")
        cmp "$work/extracted/usr/bin/$name" "$tree/bin/$name" || fail "the package has another program $name"
        [ -s "$work/extracted/usr/share/man/man1/$name.1.gz" ] || fail "the package lacks the manual page of $name"
        grep -q "\"name\": \"$name\"" "$doc/sbom.cdx.json" || fail "the bill of materials lacks $name"
    done
    [ "$(id -u)" = 0 ] || return 0
    # The new root has no libraries; nothing runs in it.
    dpkg --root="$root" --force-depends --install "$package" >"$work/dpkg" 2>&1 || fail "$(cat "$work/dpkg")"
    for file in "$files"/bin/*; do
        [ -x "$root/usr/bin/$(basename "$file")" ] || fail "the package of $program did not install all programs"
    done
}
root=$work/root
mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
touch "$root/var/lib/dpkg/status"
examine eosvault "$stage"
examine eosvault-scan "$scan_stage"
if [ "$(id -u)" = 0 ]; then
    # No file is in both packages.
    dpkg --root="$root" --force-depends --purge eosvault-scan eosvault >"$work/dpkg" 2>&1 || fail "$(cat "$work/dpkg")"
    left=$(find "$root" -path "$root/var/lib/dpkg" -prune -o -type f -print)
    [ -z "$left" ] || fail "the packages left $left"
fi
echo "packages: ok"
