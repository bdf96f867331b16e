#!/bin/sh
# Tests `make release` with a throw-away key in a clone: what it refuses, what it makes, and that a
# stranger finds each change of the files.
# usage: release.sh STAGE SCAN_STAGE
set -eu
stage=$(realpath "$1") scan_stage=$(realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() {
    echo "release: $1" >&2
    exit 1
}
version=$("$stage/bin/eosvault" --version)

git clone -q . "$work/clone"
# The licence texts of packages are there.
mkdir "$work/clone/.build"
ln -s "$PWD/.build/checkouts" "$work/clone/.build"
cd "$work/clone"
git config user.name test
git config user.email test@example.com
minisign -G -W -f -p "$work/public" -s "$work/secret" >/dev/null
export MINISIGN_KEY="$work/secret" MAINTAINER='Alice <alice@example.com>'

# Each refusal has its reason, and makes nothing.
refuses() {
    reason=$1
    shift
    ! "$@" >"$work/out" 2>"$work/error" || fail "\"$reason\" is not refused"
    grep -qF "$reason" "$work/error" || fail "instead of \"$reason\": $(cat "$work/error")"
    [ ! -s "$work/out" ] || fail "\"$reason\": standard output has text"
    [ -z "$(find "$work" -maxdepth 1 -name 'files*')" ] || fail "\"$reason\": files are made"
    [ -z "$(git tag)" ] || fail "\"$reason\": a tag is made"
}
release() { sh Packaging/release.sh make "$1" "$stage" "$scan_stage" "$work/files"; }
refuses "usage: " sh Packaging/release.sh make "$version"
sed -i "/^## \[$version\] - /d" CHANGELOG.md
refuses "the checkout has changes" release "$version"
git commit -qam "CHANGELOG: nothing"
refuses "CHANGELOG.md has no section" release "$version"
git reset -q --hard HEAD^
refuses "VERSION is not like" release v1
refuses "has another version" release 99.0.0
refuses "MAINTAINER is not set" env MAINTAINER= sh Packaging/release.sh check "$version"
refuses "MINISIGN_KEY is not set" env MINISIGN_KEY= sh Packaging/release.sh check "$version"
refuses "does not exist" env MINISIGN_KEY="$work/none" sh Packaging/release.sh check "$version"
cp "$work/secret" .build-key && echo .build-key >>.git/info/exclude
refuses "the secret key is in the repository" env MINISIGN_KEY=.build-key sh Packaging/release.sh check "$version"
echo "not a key" >"$work/bad"
for key in "$work/bad" "$work/public"; do
    refuses "is not a secret key of minisign" env MINISIGN_KEY="$key" sh Packaging/release.sh check "$version"
done
mkdir "$work/programs" && cp -R "$stage/bin" "$stage/share" "$work/programs"
printf '#!/bin/sh\necho 99.0.0\n' >"$work/programs/bin/eosvault-agent"
refuses "eosvault-agent has another version" \
    sh Packaging/release.sh make "$version" "$work/programs" "$scan_stage" "$work/files"

git commit -q --allow-empty -m "another commit"
refuses "the programs were built from another commit" release "$version"
git reset -q --hard HEAD^

# The release
sh Packaging/release.sh check "$version"
[ "$(release "$version")" = "$work/files" ] || fail "the folder is not printed"
[ "$(git rev-parse "v$version^{commit}")" = "$(git rev-parse HEAD)" ] || fail "the tag has another commit"
fails() { ! "$@" >/dev/null 2>&1 || fail "not refused: $*"; }
fails release "$version"
cd "$work/files"
ls >"$work/names"
for pattern in 'eosvault-.*\.tar\.gz' 'eosvault-.*\.cdx\.json' 'eosvault_.*\.deb' 'eosvault-scan_.*\.deb' \
    'notes\.md' SHA256SUMS 'SHA256SUMS\.minisig'; do
    [ "$(grep -cx "$pattern" "$work/names")" = 1 ] || fail "not one file $pattern: $(cat "$work/names")"
done
[ "$(wc -l <"$work/names")" = 7 ] || fail "other files: $(cat "$work/names")"
grep -q "^### " notes.md || fail "the notes are empty"

# What docs/verify.md says
verify() { minisign -Vqm SHA256SUMS -p "$work/public" && sha256sum --check --quiet SHA256SUMS; }
verify || fail "the release is not verified"
minisign -VQm SHA256SUMS -p "$work/public" | grep -q "eosvault $version, commit [0-9a-f]\{40\}" ||
    fail "the signature does not name the commit"
for file in *.tar.gz *.deb SHA256SUMS SHA256SUMS.minisig; do
    cp "$file" "$work/saved"
    # One bit in the middle of the file
    python3 -c 'import sys
data = bytearray(open(sys.argv[1], "rb").read())
data[len(data) // 2] ^= 1
open(sys.argv[1], "wb").write(data)' "$file"
    fails verify
    cp "$work/saved" "$file"
done
minisign -G -W -f -p "$work/other" -s "$work/other-secret" >/dev/null
fails minisign -Vqm SHA256SUMS -p "$work/other"
verify || fail "the restored release is not verified"
echo "release: ok"
