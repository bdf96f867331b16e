#!/bin/sh
# Prints the parts of the programs that come from other projects, one in each line:
# name, version, SPDX licence, package URL, the file with the licence, the linked archive or -.
# The fields are separated by |. Run it in the folder of the repository after `make build scan`.
# usage: components.sh [PROGRAM]
#   PROGRAM   only the parts of eosvault, which eosvault-agent and eosvault-token also have, or
#             of eosvault-scan
set -eu
program=${1:-all}
vault() { case $program in all | eosvault) "$@" ;; esac; }
scan() { case $program in all | eosvault-scan) "$@" ;; esac; }

clang=$(command -v clang || echo "$(dirname "$(readlink -f "$(command -v swift)")")/clang")
swift=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
distribution=$(sed -n 's/^ID=//p' /etc/os-release)

# usage: debian NAME LICENCE ARCHIVE
debian() {
    archive=$(readlink -f "$("$clang" -print-file-name="$3")")
    owner=$(dpkg-query -S "$archive" | cut -d: -f1)
    version=$(dpkg-query -W -f '${Version}' "$owner")
    architecture=$(dpkg --print-architecture)
    # In a package URL, a colon and a plus sign are escaped.
    escaped=$(printf '%s' "$version" | sed 's/:/%3A/g; s/+/%2B/g')
    owner_escaped=$(printf '%s' "$owner" | sed 's/+/%2B/g')
    printf '%s|%s|%s|pkg:deb/%s/%s@%s?arch=%s|/usr/share/doc/%s/copyright|%s\n' "$1" "$version" "$2" \
        "$distribution" "$owner_escaped" "$escaped" "$architecture" "$owner" "$archive"
}
debian libsodium ISC libsodium.a
debian libsecp256k1 MIT libsecp256k1.a
debian openssl Apache-2.0 libcrypto.a
vault debian sqlite blessing libsqlite3.a
debian zlib Zlib libz.a
scan debian libpng libpng-2.0 libpng16.a
scan debian libjpeg-turbo 'IJG AND BSD-3-Clause AND Zlib' libturbojpeg.a
debian libstdc++ 'GPL-3.0-or-later WITH GCC-exception-3.1' libstdc++.a
debian libgcc 'GPL-3.0-or-later WITH GCC-exception-3.1' libgcc.a

version=$(swift --version 2>/dev/null | sed -n 's/^.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
printf 'swift|%s|Apache-2.0 WITH Swift-exception|pkg:github/swiftlang/swift@swift-%s-RELEASE|%s|%s\n' \
    "$version" "$version" "$swift/share/swift/LICENSE.txt" "$swift/lib/swift_static/linux/libswiftCore.a"
version=$(sed -n 's/.*swift-argument-parser", exact: "\([0-9.]*\)".*/\1/p' Package.swift)
printf 'swift-argument-parser|%s|Apache-2.0 WITH Swift-exception|%s|%s|-\n' "$version" \
    "pkg:swift/github.com/apple/swift-argument-parser@$version" \
    .build/checkouts/swift-argument-parser/LICENSE.txt
# The characters that look alike (Sources/Vault/KeyVault/Entries/Confusables.swift).
vault printf 'unicode-security-data|17.0.0|Unicode-3.0|%s|%s|-\n' pkg:generic/unicode-security-data@17.0.0 \
    Packaging/licenses/Unicode-3.0.txt
# The words of phrases and shares (Sources/Base/WordLists/Resources), and the built-in ABIs
# (Sources/Antelope/Transactions/Resources): the interfaces of contracts of these projects.
# usage: data NAME VERSION LICENCE REPOSITORY REVISION
data() {
    printf '%s|%s|%s|pkg:github/%s@%s|%s|-\n' "$1" "$2" "$3" "$4" "$5" "Packaging/licenses/${4#*/}.txt"
}
vault data bip39-word-list 0.21 MIT trezor/python-mnemonic v0.21
vault data slip39-word-list 0.3.0 MIT trezor/python-shamir-mnemonic v0.3.0
data system-contracts-abi 9edc8bc MIT VaultaFoundation/system-contracts 9edc8bcfd128f382ae11b88655d958d07f5230d2
data eosio.wrap-abi c526479 MIT AntelopeIO/reference-contracts c526479a48370981a1e9f0ac6b3bb0e4f737afa2
data core.vaulta-abi 1.0.0 BUSL-1.1 VaultaFoundation/vaulta-system-contract v1.0.0
