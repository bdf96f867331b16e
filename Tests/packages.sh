#!/bin/sh
# Tests the archive of `make dist` and the package of `make deb`: their bytes do not depend on when
# and where they are made, their contents are complete, and the program in them signs. As root it
# also installs and removes the package below a temporary folder.
# usage: packages.sh STAGE EXAMPLES
#   STAGE      the output of `make build`
#   EXAMPLES   Vectors/examples
set -eu
stage=$1 examples=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "packages: $1" >&2
    exit 1
}

# A copy of the files with other times, in another folder.
cp -R "$stage" "$work/stage"
sh Packaging/dist.sh "$stage" "$work/one" >"$work/path"
sh Packaging/dist.sh "$work/stage" "$work/two" >/dev/null
archive=$(cat "$work/path")
cmp "$archive" "$work/two/$(basename "$archive")" || fail "two archives differ"
sh Packaging/deb.sh "$stage" "$work/one" >"$work/path"
sh Packaging/deb.sh "$work/stage" "$work/two" >/dev/null
package=$(cat "$work/path")
cmp "$package" "$work/two/$(basename "$package")" || fail "two packages differ"

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
! grep -qF "$PWD" "$tree/bin/eosvault" || fail "the program contains the path of the build"
# The hashes of modules are zeros (Tests/stage.sh).
objcopy -O binary --only-section=.swift_modhash "$tree/bin/eosvault" "$work/hashes"
[ -s "$work/hashes" ] || fail "the program has no section .swift_modhash"
[ -z "$(tr -d '\0' <"$work/hashes")" ] || fail "the program has hashes of modules"
sh Tests/demo.sh "$tree/bin/eosvault" "$examples" >"$work/demo" || fail "the program of the archive does not sign"

# The package
lintian --fail-on error,warning --tag-display-limit 0 --allow-root "$package" || fail "lintian finds faults"
dpkg-deb --extract "$package" "$work/extracted"
sh Packaging/components.sh | cut -d'|' -f1 | while read -r name; do
    [ -s "$work/extracted/usr/share/doc/eosvault/licenses/$name.txt" ] || fail "the package lacks the licence of $name"
done
[ "$(dpkg-deb --field "$package" Maintainer)" = "${MAINTAINER:-Local build <nobody@eosvault.invalid>}" ] ||
    fail "the package has another maintainer"
MAINTAINER='Alice <alice@example.com>' sh Packaging/deb.sh "$stage" "$work/three" >"$work/path"
[ "$(dpkg-deb --field "$(cat "$work/path")" Maintainer)" = 'Alice <alice@example.com>' ] ||
    fail "MAINTAINER is not used"
cmp "$work/extracted/usr/bin/eosvault" "$tree/bin/eosvault" || fail "the package has another program"
if [ "$(id -u)" = 0 ]; then
    root=$work/root
    mkdir -p "$root/var/lib/dpkg/info" "$root/var/lib/dpkg/updates"
    touch "$root/var/lib/dpkg/status"
    # The new root has no libc6; nothing runs in it.
    dpkg --root="$root" --force-depends --install "$package" >"$work/dpkg" 2>&1 || fail "$(cat "$work/dpkg")"
    [ -x "$root/usr/bin/eosvault" ] || fail "the package did not install the program"
    dpkg --root="$root" --purge eosvault >"$work/dpkg" 2>&1 || fail "$(cat "$work/dpkg")"
    left=$(find "$root" -path "$root/var/lib/dpkg" -prune -o -type f -print)
    [ -z "$left" ] || fail "the package left $left"
fi
echo "packages: ok"
