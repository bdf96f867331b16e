#!/bin/sh
# Tests "Upgrade and downgrade" of docs/install.md with an older program: a development build of
# 0.1.0 that writes vaults of format 2. The first run builds it from the history of this repository,
# in .build/upgrade.
# usage: upgrade.sh STAGE EXAMPLES
#   STAGE      what `make install` copies
#   EXAMPLES   the folder Vectors/examples
set -eu
stage=$(realpath "$1") examples=$(realpath "$2")
cd "$(dirname "$0")/.."
page=$PWD/docs/install.md install=$PWD/Tests/install.sh
built=$PWD/.build/upgrade
umask 022

fail() {
    if [ -e output ]; then sed 's/^/  /' output >&2; fi
    echo "upgrade: $1" >&2
    exit 1
}

# Builds an older program once. One run builds; another one waits for it.
# arguments: a commit, a folder, the program below it, the command that builds it there
build_older() {
    commit=$1 source=$built/$2 program=$built/$2/$3
    shift 3
    mkdir -p "$built"
    exec 9>"$built/lock"
    flock 9
    if [ ! -x "$program" ]; then
        git cat-file -e "$commit^{commit}" 2>/dev/null ||
            fail "this copy of the repository lacks the commit $commit; get the whole history: git fetch --unshallow"
        rm -rf "$source"
        mkdir -p "$source"
        git archive "$commit" | tar -x -C "$source"
        (unset EOSVAULT_STRICT && cd "$source" && "$@" 9>&-)
    fi
    exec 9>&-
}

# The last commit before format 3, and one before format 4, which has policies.
build_older 9796509 source .build/release/eosvault make build
older=$program
build_older 38ac00e format-3 .build/debug/eosvault swift build --product eosvault
without_policies=$program
newer=$stage/bin/eosvault

# A shell runs no trap of EXIT when a signal ends it.
work=''
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
work=$(mktemp -d)
cd "$work"
unset XDG_DATA_HOME XDG_STATE_HOME
export HOME="$work/home"
mkdir -m 700 home
(umask 077 && echo 'a passphrase of several words' >pin && cp "$examples/throwaway-key.txt" key)
file=$HOME/.local/share/eosvault/vault.db

# MARK: the commands of docs/install.md

prefix=$work/root
eosvault() { "$prefix/bin/eosvault" "$@" --pin-file "$work/pin"; }
sudo() { "$@"; }
# What the Makefile of each version does.
make() {
    case "$version $*" in
    *' build') ;;
    'newer install') sh "$install" install "$prefix" eosvault "$stage" ;;
    'newer uninstall')
        sh "$install" uninstall "$prefix" eosvault
        version=older
        ;;
    'older install') install -D "$older" "$prefix/bin/eosvault" ;;
    *) fail "make $*" ;;
    esac
}

# argument: the number of a code block of the section. Runs its commands as printed.
run_block() {
    awk -v wanted="$1" '/^### Upgrade/ { inside = 1; next } /^##/ { inside = 0 }
        inside && /^```/ { fences++; next }
        inside && fences == 2 * wanted - 1' "$page" >commands
    [ -s commands ] || fail "docs/install.md has no block $1"
    while IFS= read -r line <&3; do
        eval "$line" 3<&- >output 2>&1 || fail "failed: $line"
    done 3<commands
}

signature() { grep -o 'SIG_K1_[1-9A-HJ-NP-Za-km-z]*' "$1"; }
sign() { eosvault sign "$examples/transfer.json" --chain eos --key cold --yes -o "$1" >output 2>&1 || fail "sign $1"; }
unchanged() {
    cmp -s "$1" "$file" || fail "$2 changed the vault"
    [ "$(ls "$(dirname "$file")")" = vault.db ] || fail "$2 left another file in the folder"
}
format() { od -A n -t d1 -j 63 -N 1 "$file" | tr -d ' '; }
cleos=$(signature "$examples/transfer.signed.json")

version=older
make install
eosvault init --kdf-passes 1 --kdf-memory 8KiB --insecure-kdf 2>output
eosvault import key --label cold >output 2>&1
eosvault create --label hot >output 2>&1
[ "$(format)" = 2 ] || fail "the older program wrote format $(format)"

# The first block: a backup by the older program, the newer one, and a check.
version=newer
run_block 1
cp "$file" kept
accepts() {
    "$newer" "$@" >output 2>error || fail "$*: $(cat error)"
    unchanged kept "$*"
}
accepts list
accepts show cold
accepts inspect "$examples/transfer.json" --vault "$file"
accepts check --pin-file pin
accepts backup verify "$HOME/before-upgrade.db" --pin-file pin
sign newer.json
[ "$(signature newer.json)" = "$cleos" ] || fail "the newer program makes another signature"
[ "$(format)" = 3 ] || fail "the first change wrote format $(format)"
eosvault check | grep -q '^ok   2 keys' || fail "the conversion lost a key"
eosvault log verify >output || fail "log verify"
eosvault create --label later >output 2>&1
echo "ok   the newer program lists, signs and converts"

# It names the format that it does not support.
cp "$file" kept
refuses() {
    status=0
    "$older" "$@" >output 2>error || status=$?
    message=$(sed -n 's/^eosvault: error: .*vault\.db: //p' error)
    { [ "$status" = 1 ] && [ ! -s output ] && [ -n "$message" ]; } ||
        fail "the older program accepts $*: $(cat error)"
    case $message in *"the vault has format version"*) ;; *) fail "the older program prints: $message" ;; esac
    unchanged kept "the older program"
}
refuses list
refuses show cold
refuses check --pin-file pin
refuses create --pin-file pin
refuses log --pin-file pin
refuses sign "$examples/transfer.json" --chain eos --pin-file pin --yes
refuses backup refused.db --pin-file pin
[ ! -e refused.db ] || fail "the older program made a file"
echo "ok   the older program refuses: $message"

# The second block: back to the older program, with the backup.
eosvault export later --output later.txt >output 2>&1 || fail "export"
cp "$file" kept
run_block 2
[ "$(format)" = 2 ] || fail "the restored vault has format $(format)"
cmp -s kept "$(dirname "$file")/newer.db" || fail "the newer vault was changed"
eosvault import later.txt --label later >output 2>&1 || fail "the older program does not import the exported key"
sign older.json
cmp newer.json older.json || fail "the older program makes another signature"
[ "$("$older" list | wc -l)" = 3 ] || fail "a key is missing"
echo "ok   back to the older program"

version=newer
make install
eosvault check | grep -q '^ok   3 keys' || fail "check does not find three keys"
sign again.json
cmp newer.json again.json || fail "the signature differs"
[ "$(format)" = 3 ] || fail "the vault was not converted again"
echo "ok   the newer program again"

# A policy raises the format version: a program that knows no policies refuses the vault.
older=$without_policies
"$older" check --pin-file pin >output 2>&1 || fail "the program without policies does not read format 3"
(umask 077 && echo 'another passphrase of words' >policy-pin)
"$newer" policy init --template treasury -o policy.json >output 2>&1 || fail "policy init"
sed -i 's/1111*/1/' policy.json
eosvault policy set cold policy.json --second pin --new-second-file policy-pin --yes \
    >output 2>&1 || fail "policy set"
[ "$(format)" = 4 ] || fail "the first policy wrote format $(format)"
cp "$file" kept
status=0
for command in list 'show cold' check create log "sign $examples/transfer.json --chain eos --yes" \
    'export cold --force' 'backup refused.db'; do
    case "$command" in list | show*) options='' ;; *) options='--pin-file pin' ;; esac
    status=0
    # shellcheck disable=SC2086
    "$older" $command $options >output 2>error || status=$?
    { [ "$status" = 1 ] && [ ! -s output ] &&
        grep -q 'error: .*the vault has format version 4; this program supports versions up to 3$' error; } ||
        fail "the program without policies accepts $command: $(cat error)"
    cmp -s kept "$file" || fail "the program without policies changed the vault"
done
[ ! -e refused.db ] || fail "the program without policies made a file"
eosvault check | grep -q '^ok   3 keys, 1 policy' || fail "check does not find the policy"
echo "ok   a program without policies refuses: $(sed -n 's/^eosvault: error: .*vault\.db: //p' error)"
