#!/bin/sh
# Makes the Debian package of a program. The package eosvault also contains eosvault-agent
# and eosvault-token. Run it in the folder of the repository.
# usage: deb.sh PROGRAM STAGE FOLDER
#   PROGRAM  eosvault or eosvault-scan
#   STAGE    the output of `make build` or of `make scan`
#   FOLDER   gets the package
# MAINTAINER is the name and address of who builds the package, such as `Alice <alice@example.com>`.
# Without it, the address is one that can't exist (RFC 2606), so that it is no real person's.
set -eu
program=$1 stage=$2 folder=$3
umask 022
export LC_ALL=C
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

version=$("$stage/bin/$program" --version)
maintainer=${MAINTAINER:-Local build <nobody@eosvault.invalid>}
[ -n "${MAINTAINER:-}" ] || echo "deb: MAINTAINER is not set: the maintainer of the package is $maintainer" >&2
architecture=$(dpkg --print-architecture)
# The newest symbols of glibc that the programs use decide which version it needs.
# Packed relocations need 2.36, and have no symbol.
glibc=$({
    objdump -T "$stage"/bin/*
    objdump -p "$stage"/bin/* | sed 's/GLIBC_ABI_DT_RELR/GLIBC_2.36/'
} | grep -o 'GLIBC_[0-9.]*[0-9]' | sort -uV | tail -n 1)
case $program in
eosvault)
    libraries=""
    description='key vault and offline signer for EOS and other Antelope chains
 eosvault stores private keys in an encrypted file that a PIN unlocks through
 Argon2, shows what a transaction does, and signs it. It opens no network
 connection, so it runs on a machine without a network.
 .
 eosvault-agent keeps a vault unlocked for a limited time, and signs for cleos
 and other programs of the same machine at a Unix socket. eosvault-token loads
 the PKCS#11 modules of hardware tokens.'
    ;;
*)
    # Ubuntu and newer releases of Debian have the library under the second name.
    libraries=", libzbar0 (>= 0.23) | libzbar0t64 (>= 0.23)"
    description='reader of QR codes for the offline signer eosvault
 eosvault-scan reads the QR codes of transactions, signatures and signing
 requests from pictures, from a folder that a camera program fills, or from a
 camera. It holds no keys, and decodes each picture in a confined process.'
    ;;
esac
mkdir -p "$folder"
tree=$(mktemp -d "$folder/deb.XXXXXX")
trap 'rm -rf "$tree"' EXIT
doc=$tree/usr/share/doc/$program

mkdir -p "$tree/DEBIAN" "$tree/usr/bin" "$tree/usr/share/zsh" "$doc" "$tree/usr/share/lintian/overrides"
cp "$stage"/bin/* "$tree/usr/bin"
cp -R "$stage/share/man" "$stage/share/bash-completion" "$stage/share/fish" "$tree/usr/share"
cp -R "$stage/share/zsh/site-functions" "$tree/usr/share/zsh/vendor-completions"
sh Packaging/docs.sh "$doc"
# The package has copies of both in other folders.
rm "$doc/LICENSE" "$doc/CHANGELOG.md"
gzip -9n "$tree"/usr/share/man/man1/*.1
# The shell reads these files and never runs them.
sed -i '1{/^#!/d}' "$tree"/usr/share/bash-completion/completions/*
gzip -9nc CHANGELOG.md >"$doc/changelog.gz"
gzip -9nc >"$doc/changelog.Debian.gz" <<END
$program ($version-1) unstable; urgency=medium

  * See changelog.gz.

 -- $maintainer  $(date -u -R -d "@$SOURCE_DATE_EPOCH")
END
cp "Packaging/$program.lintian-overrides" "$tree/usr/share/lintian/overrides/$program"
sh Packaging/components.sh "$program" >"$tree/components"
{
    echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
    echo 'Upstream-Name: eosvault'
    echo
    echo 'Files: *'
    sed -n 's/^Copyright (c) /Copyright: /p' LICENSE
    echo 'License: Expat'
    sed -n '/^Permission/,$p' LICENSE | sed 's/^$/./; s/^/ /'
    echo
    echo 'Comment: These parts of other projects are in the programs. Their'
    echo " licences are in /usr/share/doc/$program/licenses."
    while IFS='|' read -r name number licence _; do echo " - $name $number: $licence"; done <"$tree/components"
} >"$doc/copyright"
mkdir "$doc/licenses"
while IFS='|' read -r name _ _ _ text _; do cp "$text" "$doc/licenses/$name.txt"; done <"$tree/components"
sh Packaging/sbom.sh "$version" "$tree"/usr/bin/* <"$tree/components" >"$doc/sbom.cdx.json"
rm "$tree/components"
chmod -R u=rwX,go=rX "$tree"

(cd "$tree" && find usr -type f | sort | tr '\n' '\0' | xargs -0 md5sum >DEBIAN/md5sums)
cat >"$tree/DEBIAN/control" <<END
Package: $program
Version: $version-1
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -sk "$tree/usr" | cut -f1)
Depends: libc6 (>= ${glibc#GLIBC_})$libraries
Section: utils
Priority: optional
Description: $description
END
package=$folder/${program}_$version-1_$architecture.deb
dpkg-deb --root-owner-group -Zxz --build "$tree" "$package" >/dev/null
echo "$package"
