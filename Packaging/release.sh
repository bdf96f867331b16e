#!/bin/sh
# Makes what the page of a release needs, and tags the commit: the archive, the Debian packages, the
# bill of materials, the notes, and SHA256SUMS with a signature. Run it in the folder of the
# repository.
# usage: release.sh check VERSION
#        release.sh make VERSION STAGE SCAN_STAGE FOLDER
#   check       says what is missing for this release; it changes nothing
#   make        does the same, then makes FOLDER, which must not exist
#   STAGE       the output of `make build`
#   SCAN_STAGE  the output of `make scan`
# MINISIGN_KEY is the file of minisign's secret key, outside of the repository. MAINTAINER is the
# name and address of who releases, such as `Alice <alice@example.com>`.
set -eu
umask 022
export LC_ALL=C
fail() {
    echo "release: $1" >&2
    exit 1
}
usage="usage: release.sh check VERSION | release.sh make VERSION STAGE SCAN_STAGE FOLDER"
mode=${1:-} version=${2:-}
case $mode/$# in check/2 | make/5) ;; *) fail "$usage" ;; esac

# Prints the lines of CHANGELOG.md about the version.
notes() { awk -v head="## [$version] - " 'index($0, "## [") == 1 { on = index($0, head) == 1 } on' CHANGELOG.md; }

check() {
    echo "$version" | grep -qxE '[0-9]+\.[0-9]+\.[0-9]+(-[a-z]+\.[0-9]+)?' ||
        fail "VERSION is not like 1.2.3 or 1.2.3-rc.1"
    [ "$(git rev-parse --show-prefix)" = "" ] || fail "run it in the folder of the repository"
    [ -z "$(git status --porcelain)" ] || fail "the checkout has changes: commit or remove them"
    grep -qF "\"$version\"" Sources/Base/Messages/Release.swift ||
        fail "Sources/Base/Messages/Release.swift has another version than $version"
    notes | head -n 1 | grep -qE '\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$' ||
        fail "CHANGELOG.md has no section \"## [$version] - YEAR-MONTH-DAY\""
    ! git rev-parse -q --verify "refs/tags/v$version" >/dev/null || fail "the tag v$version exists"
    [ -n "${MAINTAINER:-}" ] || fail "MAINTAINER is not set: the packages name who made them"
    command -v minisign >/dev/null || fail "minisign is missing: apt install minisign"
    [ -n "${MINISIGN_KEY:-}" ] || fail "MINISIGN_KEY is not set: a release is signed"
    [ -f "$MINISIGN_KEY" ] || fail "$MINISIGN_KEY does not exist"
    head -n 1 "$MINISIGN_KEY" | grep -qa '^untrusted comment: .*secret key' ||
        fail "$MINISIGN_KEY is not a secret key of minisign"
    case $(realpath "$MINISIGN_KEY") in "$(realpath .)"/*) fail "the secret key is in the repository" ;; esac
}

check
[ "$mode" = make ] || exit 0
stage=$3 scan_stage=$4 folder=$5
for program in "$stage"/bin/* "$scan_stage"/bin/*; do
    [ "$("$program" --version)" = "$version" ] || fail "$program has another version"
done
commit=$(git rev-parse HEAD)
"$stage/bin/eosvault" --version --verbose | grep -qx "commit $commit" ||
    fail "the programs were built from another commit: run make release again"
[ ! -e "$folder" ] || fail "$folder exists"
mkdir -p "$(dirname "$folder")"
# The folder appears when it is complete.
work=$(mktemp -d "$folder.XXXXXX")
trap 'rm -rf "$work"' EXIT

archive=$(sh Packaging/dist.sh "$stage" "$scan_stage" "$work")
name=$(basename "$archive" .tar.gz)
sh Packaging/deb.sh eosvault "$stage" "$work" >/dev/null
sh Packaging/deb.sh eosvault-scan "$scan_stage" "$work" >/dev/null
tar --extract --to-stdout --file "$archive" "$name/sbom.cdx.json" >"$work/$name.cdx.json"
notes | sed 1d >"$work/notes.md"
# SHA256SUMS has all hashes.
rm "$archive.sha256"
sums=$(cd "$work" && sha256sum -- *)
echo "$sums" >"$work/SHA256SUMS"
minisign -S -s "$MINISIGN_KEY" -m "$work/SHA256SUMS" -t "eosvault $version, commit $commit" >/dev/null ||
    fail "minisign did not sign"
chmod 755 "$work"
git tag -a "v$version" -m "eosvault $version"
mv "$work" "$folder"
echo "$folder"
