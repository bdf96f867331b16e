#!/bin/sh
# Walks the path of a new user in a minimal Debian without Swift, with the files of `make release`:
# verifies them, installs them, and runs the commands of README.md and docs/containers.md as
# printed, up to real signatures. Then it tries damaged and foreign files. It prints how long the
# commands of README.md take.
# usage: walk.sh check
#        walk.sh STAGE SCAN_STAGE EXAMPLES
#   check        reports what is missing
#   STAGE        the output of `make build`
#   SCAN_STAGE   the output of `make scan`
#   EXAMPLES     Vectors/examples
# Debian comes from the mirror in the configuration of apt. All of it is in a file system in memory
# that only this script's mount namespace has: no other process sees it, and the kernel removes it
# when the script ends.
set -eu
fail() {
    echo "walk: $1" >&2
    exit 1
}
[ "$(id -u)" = 0 ] || fail "needs root: it makes a Debian system with debootstrap, and enters it with chroot"
[ "$1" != check ] || exit 0

if [ "$1" != inside ]; then
    folder=$(mktemp -d)
    # It is empty outside of the namespace.
    trap 'rmdir "$folder"' EXIT
    trap 'exit 1' HUP INT TERM
    unshare --mount --propagation private sh "$0" inside "$folder" "$@"
    exit
fi
folder=$2
shift 2
[ "$(readlink /proc/self/ns/mnt)" != "$(readlink /proc/$PPID/ns/mnt)" ] ||
    fail "it would mount in the namespace of its parent"
stage=$(realpath "$1") scan_stage=$(realpath "$2") examples=$(realpath "$3")
cd "$(dirname "$0")/../.."
export LC_ALL=C.UTF-8
umask 022
repository=$PWD work=$folder root=$folder/root
mount -t tmpfs -o mode=755,size=3g tmpfs "$work"

# MARK: the release and the system

# Runs a command, and prints its output only if it fails, without the address of the mirror.
mirror=""
quietly() {
    "$@" >"$work/log" 2>&1 && return
    tail -n 20 "$work/log" | hide_mirror >&2
    fail "failed: $1"
}
hide_mirror() {
    host=$(echo "$mirror" | cut -d/ -f3)
    sed -E "s,${host:-no mirror},MIRROR,g; s,[0-9]+(\.[0-9]+){3},ADDRESS,g"
}

version=$("$stage/bin/eosvault" --version)
git clone -q . "$work/clone"
mkdir "$work/clone/.build"
# The licence texts of packages are there.
ln -s "$repository/.build/checkouts" "$work/clone/.build"
cd "$work/clone"
git config user.name test
git config user.email test@example.com
minisign -G -W -f -p "$work/eosvault.pub" -s "$work/secret" >/dev/null
if ! grep -qF "## [$version] - " CHANGELOG.md; then
    sed -i "s/^## \[Unreleased\]\$/&\n\n## [$version] - 2026-01-31/" CHANGELOG.md
    git commit -qam "CHANGELOG: $version"
fi
MINISIGN_KEY="$work/secret" MAINTAINER='Alice <alice@example.com>' \
    sh Packaging/release.sh make "$version" "$stage" "$scan_stage" "$work/release" >/dev/null
cd "$repository"
cp "$work/eosvault.pub" "$work/release"

suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
# shellcheck disable=SC2016 # apt replaces these
targets=$(apt-get indextargets --format '$(RELEASE) $(CODENAME) $(REPO_URI) $(COMPONENT)' 'Created-By: Packages' |
    awk -v suite="$suite" '$1 == suite || $2 == suite { print $3, $4 }')
mirror=$(echo "$targets" | sed -n '1s/ .*//p')
[ -n "$mirror" ] || fail "apt has no source of $suite: check /etc/apt, then run apt-get update"
components=$(echo "$targets" | awk -v mirror="$mirror" '$1 == mirror { print $2 }' | sort -u | paste -sd, -)
packages=sudo
case $mirror in https:*) packages=sudo,ca-certificates ;; esac
quietly debootstrap --variant=minbase --include="$packages" --components="$components" "$suite" "$root" "$mirror"
mount -t proc proc "$root/proc"
mount -t devpts -o newinstance,ptmxmode=666 devpts "$root/dev/pts"
cp -L /etc/resolv.conf /etc/hosts "$root/etc"
in_root() { chroot "$root" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"; }
for user in alice bob; do
    in_root useradd --create-home "$user"
    echo "$user ALL=(ALL) NOPASSWD: ALL" >"$root/etc/sudoers.d/$user"
    # The downloads of the user
    cp -R "$work/release" "$root/home/$user/release"
    in_root chown -R "$user:$user" "/home/$user/release"
done
! in_root sh -c 'command -v swift || command -v minisign || command -v eosvault' || fail "the system is not new"
echo "ok   a release, and a new Debian with $(in_root dpkg-query -W | wc -l) packages"

# MARK: a person at a terminal

{
    printf '[Y/n] \ty\n[y/N] \t\nPIN: \ta passphrase of several words\nPIN again: \ta passphrase of several words\n'
    printf 'private key: \t%s\n' "$(cat "$examples/throwaway-key.txt")"
    printf 'Sign this 1 action for Vaulta (EOS)? [y/N] \ty\n'
} >"$work/answers"
terminal() { python3 -B Tests/Tools/terminal.py "$work/answers" "$@"; }

# Runs a command line as a user in their folder. What the terminal shows is in $work/shown.
# usage: type_line USER FOLDER LINE
type_line() {
    echo "     \$ $3"
    # shellcheck disable=SC2016 # the inner shell expands these
    terminal chroot --userspec="$1:$1" "$root" env -i HOME="/home/$1" USER="$1" TERM=xterm LC_ALL=C.UTF-8 \
        PATH="${programs:-}/usr/local/bin:/usr/bin:/bin" sh -c 'cd "$0" && eval "$1"' "$2" "$3" >"$work/shown"
}
types() { type_line "$@" || { hide_mirror <"$work/shown" >&2 && fail "failed: $3"; }; }
# usage: refused TEXT USER FOLDER LINE     TEXT is a regular expression of grep -E
refused() {
    reason=$1
    shift
    ! type_line "$@" || fail "not refused: $3"
    grep -qE -e "$reason" "$work/shown" || { hide_mirror <"$work/shown" >&2 && fail "no \"$reason\": $3"; }
    grep -oE -e "($reason).*" "$work/shown" | sed '1s/^/     > /; q'
}

# Prints the commands of a page, or of one of its sections.
# usage: commands PAGE [HEADING]
commands() {
    sed -e ':a' -e '/\\$/{N; s/\\\n *//; ba' -e '}' "$1" | awk -v heading="${2:-}" '
        /^## / { isOn = $0 == "## " heading }
        /^```/ { isInside = (isOn || heading == "") && $0 == "```sh"; next }
        isInside && NF && !/^#/'
}
signature() { grep -o 'SIG_K1_[1-9A-HJ-NP-Za-km-z]*' "$1"; }

# The commands of README.md that are not for another machine: cleos prepares and sends the
# transaction there. This one was made and signed by cleos.
# usage: sign_first USER FOLDER
sign_first() {
    in_root install -m 644 -o "$1" /dev/stdin "$2/transfer.json" <"$examples/transfer.json"
    commands README.md "Five minutes to the first signature" | grep -v '^cleos ' >"$work/lines"
    while IFS= read -r line <&3; do types "$1" "$2" "$line"; done 3<"$work/lines"
    [ "$(signature "$root$2/signed.json")" = "$(signature "$examples/transfer.signed.json")" ] ||
        fail "the signature is not the one of cleos"
}
commands README.md Install >"$work/install"
verify_lines() { grep -E '^(minisign|sha256sum) ' "$work/install"; }
# The path that the second line sets is for the same shell.
archive_line() { { grep -E '^(tar |export PATH=)' "$work/install" && echo 'eosvault --version'; } | paste -sd ';'; }
package_lines() { grep -vE '^(tar |export )' "$work/install"; }
[ "$(verify_lines | wc -l)" = 2 ] || fail "README.md verifies a release in another way"

# MARK: the package

home=/home/alice/release
# A new system has no lists of packages.
before=$(date +%s)
types alice "$home" 'sudo apt update'
package_lines >"$work/package"
while IFS= read -r line <&3; do types alice "$home" "$line"; done 3<"$work/package"
grep -qx "$version.*" "$work/shown" || fail "the package has another version than $version"
sign_first alice "$home"
echo "ok   the package: $(($(date +%s) - before)) seconds of commands to the first signature, typing included"

types alice "$home" 'eosvault transaction pack transfer.json --chain eos --qr-file code.png >packed.json'
types alice "$home" 'sudo apt install ./eosvault-scan_*_amd64.deb'
types alice "$home" 'eosvault-scan code.png | eosvault transaction pack - | cmp - packed.json'
echo "ok   the package of eosvault-scan reads a code"

vault=$root/home/alice/.local/share/eosvault/vault.db state=$root/home/alice/.local/state/eosvault
sums() { find "$vault" "$state" -type f -exec sha256sum {} + | sort; }
not_installed() {
    # shellcheck disable=SC2016 # dpkg-query replaces it
    status=$(in_root dpkg-query --show --showformat '${db:Status-Status}' eosvault 2>/dev/null || true)
    case $status in '' | not-installed) ;; *) fail "the package is $status" ;; esac
    [ -z "$(in_root dpkg --audit)" ] || fail "dpkg has an unfinished package"
    [ ! -e "$root/usr/bin/eosvault" ] || fail "the program is installed"
}
sums >"$work/sums"
types alice "$home" 'sudo apt remove eosvault'
not_installed
[ "$(sums)" = "$(cat "$work/sums")" ] || fail "removing the package changed the vault"
[ "$(wc -l <"$work/sums")" -ge 2 ] || fail "no vault and no state were compared"
echo "ok   removing the package leaves the vault"

# MARK: the archive

before=$(date +%s)
{ verify_lines && archive_line; } >"$work/archive"
while IFS= read -r line <&3; do types bob /home/bob/release "$line"; done 3<"$work/archive"
grep -qx "$version.*" "$work/shown" || fail "the archive has another version than $version"
tree=/home/bob/release/$(cd "$root/home/bob/release" && echo eosvault-*-linux-*/)
types bob "$tree" 'sha256sum --check --quiet SHA256SUMS'
programs="${tree}bin:" sign_first bob /home/bob/release
programs=""
echo "ok   the archive: $(($(date +%s) - before)) seconds of commands to the first signature"

# MARK: damaged and foreign files

# Changes one bit in the middle of a file in a new copy of the release.
# usage: damage PATTERN
damage() {
    rm -rf "$root/home/alice/damaged"
    cp -R "$work/release" "$root/home/alice/damaged"
    # shellcheck disable=SC2086 # a pattern
    python3 -B -c 'import sys
[path] = sys.argv[1:]
data = bytearray(open(path, "rb").read())
data[len(data) // 2] ^= 1
open(path, "wb").write(data)' "$root/home/alice/damaged"/$1
    in_root chown -R alice:alice /home/alice/damaged
}
check_hashes=$(verify_lines | grep '^sha256sum') check_signature=$(verify_lines | grep '^minisign')
install_package=$(grep '^sudo apt install \./' "$work/install")
damaged=/home/alice/damaged
damage SHA256SUMS.minisig
refused 'Trusted signature comment should|erification failed' alice "$damaged" "$check_signature"
awk 'NR == 2 { $0 = substr($0, 1, 60) (substr($0, 61, 1) == "A" ? "B" : "A") substr($0, 62) } 1' \
    "$work/release/SHA256SUMS.minisig" >"$root$damaged/SHA256SUMS.minisig"
refused 'erification failed' alice "$damaged" "$check_signature"
damage SHA256SUMS
refused 'erification failed' alice "$damaged" "$check_signature"
damage 'eosvault-*.tar.gz'
types alice "$damaged" "$check_signature"
refused 'tar\.gz: FAILED' alice "$damaged" "$check_hashes"
refused 'tar: (Child returned|Exiting with failure)' alice "$damaged" "$(grep '^tar ' "$work/install")"
damage 'eosvault_*.deb'
refused '\.deb: FAILED' alice "$damaged" "$check_hashes"
refused 'dpkg-deb: error|is corrupt|decompression' alice "$damaged" "$install_package"
not_installed
dpkg-deb --raw-extract "$work/release"/eosvault_*_amd64.deb "$work/foreign"
sed -i 's/^Architecture: .*/Architecture: arm64/' "$work/foreign/DEBIAN/control"
dpkg-deb --root-owner-group -Zgzip -z1 --build "$work/foreign" "$root$damaged/eosvault_${version}-1_arm64.deb" \
    >/dev/null
refused 'Depends: libc6:arm64 .* but it is not installable' alice "$damaged" 'sudo apt install ./eosvault_*_arm64.deb'
not_installed
refused 'architecture \(arm64\) does not match' alice "$damaged" 'sudo dpkg -i eosvault_*_arm64.deb'
not_installed
echo "ok   damaged and foreign files are refused, and nothing is installed"

# MARK: the container

mkdir "$work/page"
cp "$work/release"/eosvault_*_amd64.deb "$examples/transfer.json" "$work/page"
cp -R Examples/container "$work/page"
tools=$repository/Tests/App/CommandTests/Scripts/page-tools
type_here() {
    echo "     \$ $1"
    # shellcheck disable=SC2016 # the inner shell expands this
    terminal env PATH="$tools:$PATH" DOCKER_ROOT="$root" sh -c 'cd "$0" && eval "$1"' "$work/page" "$1" >"$work/shown"
}
types_here() { type_here "$1" || { cat "$work/shown" >&2 && fail "failed: $1"; }; }
refused_here() {
    ! type_here "$2" || fail "not refused: $2"
    grep -qE -e "$1" "$work/shown" || { cat "$work/shown" >&2 && fail "no \"$1\": $2"; }
}
commands docs/containers.md >"$work/lines"
while IFS= read -r line <&3; do
    types_here "$line"
    # The script refuses to run as root.
    case $line in mkdir*) (cd "$work/page/container" && chown 10001:10001 data state secrets work) ;; esac
    case $line in *doctor) grep -q 'no interface except the loopback' "$work/shown" || fail "a network" ;; esac
done 3<"$work/lines"
printf 'PIN: \t%s\n' "$(cat "$work/page/container/secrets/pin")" >>"$work/answers"
cp "$examples/throwaway-key.txt" "$work/page/container/work/key"
chmod 600 "$work/page/container/work/key"
chown 10001:10001 "$work/page/container/work/key"
types_here 'container/eosvault import key --label cold'
types_here 'container/eosvault sign transfer.json --chain eos --key cold -o cold.json'
[ "$(signature "$work/page/container/work/cold.json")" = "$(signature "$examples/transfer.signed.json")" ] ||
    fail "the signature of the container is not the one of cleos"
[ "$(stat -c %u "$work/page/container/data/eosvault/vault.db")" = 10001 ] || fail "the container ran as another user"
variant() {
    sed "$1" "$work/page/container/eosvault" >"$work/page/container/variant"
    chmod 755 "$work/page/container/variant"
}
# Even root of the container can't write to its root.
block=1bd92007c2d6bd3c14dd6c9ef3e83a1e8bf1ac2c3c8d6c8f1ea4ddd4a1b0c9d2
build="build transfer alice bob '1.0000 EOS' hello --chain eos --expires 1h --block-id $block"
# shellcheck disable=SC2016 # the pattern of a variable
variant 's/--user "$user"/--user 0:0/'
refused_here 'can.t be written: read-only file system' "container/variant $build -o /usr/built"
variant '/target=.data/d'
refused_here '/data/eosvault/vault\.db: the vault can.t be written' 'container/variant init --random-pin second-pin'
[ ! -e "$work/page/container/work/second-pin" ] || fail "the PIN of no vault is left"
# Ctrl-C at a question ends the program, also if it is process 1.
printf 'new PIN: \t^C\n' >>"$work/answers"
variant 's/--init //'
for script in eosvault variant; do
    status=0
    type_here "container/$script init --vault third.db" || status=$?
    [ "$status" = 130 ] || fail "Ctrl-C: exit status $status"
done
types_here 'container/eosvault check --pin-file /secrets/pin'
grep -q 'ok   2 keys, ' "$work/shown" || { cat "$work/shown" >&2 && fail "another vault"; }
echo "ok   the container: read-only, without root and network, with the vault in a folder of its own"

# The image was made in the same system, so the package is installed again.
printf 'PIN: \ta passphrase of several words\n' >>"$work/answers"
types alice "$home" 'eosvault check'
echo "walk: ok"
