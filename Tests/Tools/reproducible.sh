#!/bin/sh
# Makes the archive and the packages twice from the last commit, and compares their SHA-256. The two
# builds have other folders, users (if this one is root), home folders, file modes, time zones and
# languages. It takes two full builds.
# usage: reproducible.sh
#        reproducible.sh compare FOLDER FOLDER    only compares the folders
set -eu
fail() {
    echo "reproducible: $1" >&2
    exit 1
}

# The archive also contains the bill of materials, which is printed and compared as a file of its
# own.
# usage: sums FOLDER
sums() {
    (
        cd "$1"
        set -- *.tar.gz *.deb
        if [ $# != 3 ] || [ ! -e "$1" ]; then fail "an archive and two packages were expected in $PWD"; fi
        sha256sum "$@"
        name=$(basename "$1" .tar.gz)
        tar --extract --to-stdout --file "$1" "$name/sbom.cdx.json" >"$work/bill"
        [ -s "$work/bill" ] || fail "$1 has no bill of materials"
        sha256sum <"$work/bill" | sed "s/-\$/$name.cdx.json/"
    )
}
compare() {
    one=$(sums "$1")
    two=$(sums "$2")
    echo "$one"
    [ "$one" != "$two" ] || return 0
    echo "$two"
    # The files of the archive that differ
    mkdir "$work/one" "$work/two"
    tar --extract --file "$1"/*.tar.gz --directory "$work/one"
    tar --extract --file "$2"/*.tar.gz --directory "$work/two"
    (cd "$work" && diff --recursive --brief one two) || true
    fail "the two builds differ"
}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
chmod 755 "$work"
case ${1:-} in
compare)
    compare "$2" "$3"
    exit
    ;;
esac

# usage: build FOLDER USER UMASK TIME_ZONE LANGUAGE     USER is nobody, or empty
build() {
    folder=$work/$1 home=$work/home-$3
    mkdir -p "$(dirname "$folder")" "$home"
    (umask "$3" && git clone -q "$work/source" "$folder")
    # Git may fetch packages from folders of another user.
    { cat ~/.gitconfig 2>/dev/null || true; printf '[safe]\n\tdirectory = *\n'; } >"$home/.gitconfig"
    as=""
    if [ -n "$2" ]; then
        chown -R "$2:" "$folder" "$home"
        as="setpriv --reuid=$2 --regid=$(id -g "$2") --clear-groups"
    fi
    start=$(date +%s)
    # shellcheck disable=SC2086 # a list of words
    (
        cd "$folder"
        umask "$3"
        $as env -i HOME="$home" PATH="$PATH" TZ="$4" LC_ALL="$5" make dist deb >"$work/log" 2>&1
    ) || {
        tail -n 30 "$work/log" >&2
        fail "no build in $folder"
    }
    echo "reproducible: built as ${2:-$(id -un)} with umask $3, TZ $4, LC_ALL $5 in $(($(date +%s) - start)) seconds"
}
# Both builds have the same commit, also if this folder gets another one meanwhile.
git clone -q --bare . "$work/source"
other=""
if [ "$(id -u)" = 0 ]; then other=nobody; fi
language=$(locale -a | grep -vxE 'C|POSIX|C\.(UTF-8|utf8)' | head -n 1)
build a "" 022 UTC C
build b/much/deeper/folder "$other" 077 Pacific/Chatham "${language:-C.UTF-8}"
compare "$work/a/.build/dist" "$work/b/much/deeper/folder/.build/dist"
echo "reproducible: ok"
