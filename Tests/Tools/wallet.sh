#!/bin/sh
# Builds the example app with SwiftPM alone: with this folder, and with a version of a clone. It
# imports a key, signs a transfer as cleos does, and asks for the PIN again after a pause.
# Run it in the folder of the repository.
set -eu
root=$(pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/app"
cp -R Examples/wallet/Package.swift Examples/wallet/Sources "$work/app"
export XDG_STATE_HOME="$work/state"
examples=$root/Vectors/examples

# - Parameter 1: the folder of the app
# - Parameter 2: the folder of the build
check() {
    swift build --package-path "$1" --scratch-path "$2" >"$work/log" 2>&1 || {
        cat "$work/log" >&2
        exit 1
    }
    rm -rf "$work/vault.db" "$work"/signed*.json
    pin='a passphrase of several words'
    {
        printf '%s\nimport %s/throwaway-key.txt\nwrong %s\n' "$pin" "$examples" "$pin"
        # A wrong PIN delays the next unlock.
        sleep 10
        printf 'import %s/throwaway-key.txt\n%s\n' "$examples" "$pin"
        printf 'sign %s/transfer.json eos %s/signed.json\nyes\n' "$examples" "$work"
        # Longer than the key derivations so far and the pause.
        sleep 30
        printf 'sign %s/transfer.json eos %s/signed2.json\nyes\n%s\n' "$examples" "$work" "$pin"
    } | "$2/debug/wallet" "$work/vault.db" 10 >"$work/output" 2>&1 || {
        cat "$work/output" >&2
        exit 1
    }
    # The PIN of the new vault, a wrong one, the right one, and again after the pause.
    [ "$(grep -c 'PIN: ' "$work/output")" = 4 ] || { cat "$work/output" >&2; exit 1; }
    grep -q 'error: wrong PIN' "$work/output"
    for signed in signed signed2; do
        [ "$(grep -o 'SIG_K1_[1-9A-HJ-NP-Za-km-z]*' "$work/$signed.json")" = \
            "$(grep -o 'SIG_K1_[1-9A-HJ-NP-Za-km-z]*' "$examples/transfer.signed.json")" ]
    done
}

# `make chain` uses this build.
check Examples/wallet .build/wallet
git clone -q --bare . "$work/eosvault"
git -C "$work/eosvault" tag -f v99.0.0
dependency=".package(url: \"file://$work/eosvault\", exact: \"99.0.0\")"
sed "s|\.package(name: \"eosvault\", path: \"../..\")|$dependency|" \
    Examples/wallet/Package.swift >"$work/app/Package.swift"
grep -qF "$dependency" "$work/app/Package.swift"
check "$work/app" .build/wallet-version
echo "the example app builds with a path and with a version, and signs as cleos does"
