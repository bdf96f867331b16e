#!/bin/sh
# Checks that the tools and libraries of the build are present, and installs missing ones with apt
# if the user is root or sudo asks for no password. Otherwise it lists them and fails. It does not
# call apt if nothing is missing.
# usage: install-dependencies.sh [scan] [test] [examples] [chain] [packages] [bench] [walk]
#   scan     also checks what eosvault-scan needs
#   test     also checks what the tests need
#   examples also checks what the example programs need
#   chain    also checks what `make chain` needs
#   packages also checks what `make packages` needs
#   bench    also checks what `make bench` needs
#   walk     also checks what `make walk` needs
set -eu

for set; do
    case $set in
    scan | test | examples | chain | packages | bench | walk) ;;
    *)
        echo "usage: install-dependencies.sh [scan] [test] [examples] [chain] [packages] [bench] [walk]" >&2
        exit 1
        ;;
    esac
done
command -v swift >/dev/null || {
    echo "Swift 6.2 or newer is missing: see https://www.swift.org/install/linux" >&2
    exit 1
}

clang=$(command -v clang || echo "$(dirname "$(readlink -f "$(command -v swift)")")/clang")
has_header() { echo "#include <$1>" | "$clang" -x c -fsyntax-only - 2>/dev/null; }
# clang prints the full path of an archive that it finds, and else the name.
has_archive() { [ -e "$("$clang" -print-file-name="$1")" ]; }
has_tool() { command -v "$1" >/dev/null; }

# Debian's name; Ubuntu has another one.
turbojpeg=libturbojpeg0-dev
if grep -q '^ID=ubuntu' /etc/os-release 2>/dev/null; then turbojpeg=libturbojpeg-dev; fi

# Prints the Debian names of the packages that are missing.
missing_packages() {
    { has_header sodium.h && has_archive libsodium.a; } || echo libsodium-dev
    { has_header secp256k1_recovery.h && has_archive libsecp256k1.a; } || echo libsecp256k1-dev
    { has_header openssl/evp.h && has_archive libcrypto.a; } || echo libssl-dev
    { has_header sqlite3.h && has_archive libsqlite3.a; } || echo libsqlite3-dev
    { has_header zlib.h && has_archive libz.a; } || echo zlib1g-dev
    has_tool strip || echo binutils
    for set; do
        case $set in
        scan)
            { has_header zbar.h && [ -e "$("$clang" -print-file-name=libzbar.so)" ]; } || echo libzbar-dev
            { has_header png.h && has_archive libpng16.a; } || echo libpng-dev
            { has_header turbojpeg.h && has_archive libturbojpeg.a; } || echo "$turbojpeg"
            ;;
        test)
            { has_tool valgrind && has_header valgrind/memcheck.h; } || echo valgrind
            has_tool strace || echo strace
            has_tool minisign || echo minisign
            # A PKCS#11 token in software.
            has_tool softhsm2-util || echo softhsm2
            # A TPM 2.0 in software.
            has_tool swtpm || echo swtpm
            # It unseals what this project seals.
            has_tool tpm2_unseal || echo tpm2-tools
            # Completions and manual pages are tested with the real programs.
            has_tool zsh || echo zsh
            has_tool fish || echo fish
            has_tool groff || echo groff
            # It reads the QR codes that the program draws.
            has_tool zbarimg || echo zbar-tools
            # It makes codes of other programs.
            has_tool qrencode || echo qrencode
            # It makes photographs of codes: turned, blurred, badly lit.
            has_tool identify || echo imagemagick
            # Python computes signatures of HTTP requests, and curl sends these requests.
            has_tool python3 || echo python3
            has_tool curl || echo curl
            ;;
        examples)
            has_tool python3 || echo python3
            has_tool node || echo nodejs
            ;;
        chain)
            # Debian's python3 has venv, but not ensurepip, which venv needs.
            python3 -c 'import ensurepip, venv' 2>/dev/null || echo python3-venv
            has_tool softhsm2-util || echo softhsm2
            ;;
        packages) has_tool lintian || echo lintian ;;
        bench) has_tool age || echo age ;;
        walk)
            has_tool debootstrap || echo debootstrap
            has_tool minisign || echo minisign
            has_tool python3 || echo python3
            ;;
        esac
    done
}

missing=$(missing_packages "$@" | tr '\n' ' ')
[ -n "$missing" ] || exit 0

echo "missing packages (Debian names): $missing" >&2
if ! command -v apt-get >/dev/null; then
    echo "install them, then try again" >&2
    exit 1
fi
if [ "$(id -u)" = 0 ]; then
    as_root=""
elif sudo -n true 2>/dev/null; then
    as_root="sudo"
else
    echo "install them with: sudo apt-get install $missing" >&2
    exit 1
fi
echo "installing with apt-get: $missing" >&2
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of words
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq $missing >/dev/null

missing=$(missing_packages "$@" | tr '\n' ' ')
[ -z "$missing" ] || {
    echo "apt-get installed the packages, but clang or the PATH does not find: $missing" >&2
    exit 1
}
