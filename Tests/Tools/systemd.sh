#!/bin/sh
# Runs each command of Examples/systemd/README.md as printed, in a folder instead of /. This script
# runs the unit's command with the environment and the credential that systemd.exec(5) describes.
# Then it tests what the service refuses. With EOSVAULT_SYSTEMD=1, for root, systemd starts the
# unit: the script writes units to /run/systemd/system, and systemd may make its credential key.
# usage: systemd.sh STAGE EXAMPLES
#   STAGE      what `make install` copies
#   EXAMPLES   the folder Vectors/examples
set -eu
stage=$(realpath "$1") examples=$(realpath "$2")
cd "$(dirname "$0")/../.."
page=$PWD/Examples/systemd/README.md
export LC_ALL=C.UTF-8
export USER="${USER:-alice}"
umask 022

fail() {
    echo "systemd: $1" >&2
    for file in output journal; do if [ -e "$root/$file" ]; then sed "s/^/  $file: /" "$root/$file" >&2; fi; done
    exit 1
}

units=/run/systemd/system
# Credentials can be encrypted since systemd 250; an older one reports the unit's newer settings.
version=$(systemctl --version 2>/dev/null | sed -n '1s/^systemd \([0-9]*\).*/\1/p')
is_recent=no
if [ "${version:-0}" -ge 250 ]; then is_recent=yes; fi

# The service runs as nobody, or as this user, who is not root.
user=$(id -u) group=$(id -g) systemd=no is_root=no
if [ "$user" = 0 ]; then is_root=yes user=$(id -u nobody) group=$(id -g nobody); fi
if [ "${EOSVAULT_SYSTEMD:-}" = 1 ]; then
    if [ $is_root$is_recent = yesyes ] && [ -d $units ] && command -v systemd-creds >/dev/null; then
        systemd=yes
    else
        echo "note systemd can't start the unit: this needs root, and systemd 250 with systemd-creds"
    fi
fi
is_started=$systemd

# A shell runs no trap of EXIT when a signal ends it.
root='' prefix=''
clean() {
    rm -rf "$root"
    if [ "$is_started" = yes ] && [ -n "$prefix" ]; then
        rm -rf "${units:?}/$prefix"*
        command systemctl daemon-reload
    fi
}
trap clean EXIT
trap 'exit 1' HUP INT TERM
# The user nobody can't enter each TMPDIR, and a unit with PrivateTmp=yes needs a folder outside of
# /tmp. The page and the unit have paths without quotes.
case $is_root${TMPDIR:-/tmp} in
yes*) root=$(mktemp -d /var/lib/eosvault-test-XXXXXX) ;;
*[!A-Za-z0-9/._-]*) root=$(mktemp -d /tmp/eosvault-test-XXXXXX) ;;
*) root=$(mktemp -d) ;;
esac
# The unit's real name starts with the name of the folder.
prefix=$(basename "$root")-
chmod 711 "$root"
mkdir -p "$root/etc/systemd/system" "$root/run" "$root/work"
sh Packaging/install.sh install "$root/usr/local" eosvault "$stage"

# Puts the folder before the paths of the page and the unit.
move_paths() { sed -E "s,$root,,g; s,%S/,/var/lib/,g; s,(/usr/local|/etc|/var/lib|/var/spool)/,$root&,g"; }

# MARK: the programs that the page uses

# Runs a program as the user of the service. `groups` are its other groups.
as_user() {
    if [ "$is_root" = no ]; then "$@"; else
        setpriv --reuid "$user" --regid "$group" --groups "${groups:-$group}" --no-new-privs "$@"
    fi
}

by_hand() { as_user env -i HOME="$root/var/lib/eosvault" PATH="$root/usr/local/bin:/usr/bin:/bin" "$@"; }

sudo() {
    case $* in
    '-u eosvault -H '*)
        shift 3
        by_hand "$@"
        ;;
    'systemd-creds '*) creds "$@" ;;
    *) "$@" ;;
    esac
}

useradd() {
    [ "$*" = "--system --user-group --home-dir $root/var/lib/eosvault --shell /usr/sbin/nologin eosvault" ] ||
        fail "useradd $*"
}

usermod() { [ "$*" = "--append --groups eosvault $USER" ] || fail "usermod $*"; }

install() {
    # shellcheck disable=SC2046 # words without spaces
    command install $(echo "$*" | sed "s/-o eosvault/-o $user/; s/-g eosvault/-g $group/")
}

# Without systemd, the encryption of a credential is replaced by base64.
creds() {
    case "$systemd $2 $3" in
    yes*) command "$@" ;;
    'no encrypt --name=pin') base64 "$4" >"$5" ;;
    'no decrypt --name=pin') base64 -d "$4" ;;
    *) fail "$*" ;;
    esac
}

journalctl() {
    if [ "$systemd" = no ]; then cat "$root/journal"; else
        command journalctl --sync
        # shellcheck disable=SC2046 # words without spaces
        command journalctl $(echo "$*" | sed "s/eosvault-sign/$prefix&/")
    fi
}

systemctl() {
    case "$systemd $1" in
    'no daemon-reload') verify_unit ;;
    'no start') start "$2" ;;
    'no show') cat "$root/status" ;;
    'yes daemon-reload')
        verify_unit
        rm -rf "${units:?}/$prefix"*
        for unit in "$root"/etc/systemd/system/*; do cp -r "$unit" "$units/$prefix$(basename "$unit")"; done
        moved_unit >"$units/${prefix}eosvault-sign@.service"
        command systemctl daemon-reload
        ;;
    *)
        # shellcheck disable=SC2046 # words without spaces
        command systemctl $(echo "$*" | sed "s/eosvault-sign/$prefix&/")
        ;;
    esac
}

# MARK: the unit

# The paths of the drop-in are in the folder already.
moved_unit() {
    move_paths <"$root/etc/systemd/system/eosvault-sign@.service" |
        sed -E "s/^User=.*/User=$user/; s/^Group=.*/Group=$group/; s,^StateDirectory=,&${prefix%-}/var/lib/,"
}

verify_unit() {
    for setting in PrivateNetwork=yes ProtectSystem=strict NoNewPrivileges=yes CapabilityBoundingSet= LimitCORE=0 \
        MemorySwapMax=0 LimitMEMLOCK=8M MemoryDenyWriteExecute=yes StateDirectoryMode=0700 \
        RestrictAddressFamilies=none; do
        moved_unit | grep -qxF "$setting" || fail "the unit lacks $setting"
    done
    if [ $is_recent = yes ] && command -v systemd-analyze >/dev/null; then
        moved_unit >"$root/work/verified@.service"
        systemd-analyze verify --man=no "$root/work/verified@.service" >"$root/output" 2>&1 ||
            fail "systemd-analyze verify"
        if grep -F verified@ "$root/output"; then fail "systemd-analyze verify"; fi
    fi
}

# Prints the last value of a setting, for an instance of the unit.
setting() {
    { moved_unit && cat "$root"/etc/systemd/system/*.d/*.conf 2>/dev/null; } |
        sed -n "s/%i/$2/g; s,\${CREDENTIALS_DIRECTORY},$credentials,g; s/^$1=//p" | tail -n 1
}

# Runs the commands of the unit as systemd does.
start() {
    instance=${1#*@}
    credentials=$root/run/$1.service
    rm -rf "$credentials"
    mkdir "$credentials"
    loaded=$(setting LoadCredential "$instance")
    encrypted=$(setting LoadCredentialEncrypted "$instance")
    if [ -n "$loaded" ]; then cat "${loaded#pin:}" >"$credentials/pin"; fi
    if [ -n "$encrypted" ]; then base64 -d "${encrypted#pin:}" >"$credentials/pin"; fi
    # On ramfs the user owns the file. On tmpfs root owns it, and its access control list makes the
    # group bits those of the list's mask.
    if [ "${layout:-ramfs}" = ramfs ] && [ "$is_root" = yes ]; then chown -R "$user:$group" "$credentials"; fi
    chmod "${mode:-400}" "$credentials/pin"
    status=0
    for line in ExecStart ExecStartPost; do
        # shellcheck disable=SC2046 # words without spaces
        if [ "$status" = 0 ]; then
            (
                umask "$(setting UMask "$instance")"
                cd /
                as_user env -i "$(setting Environment "$instance")" PATH=/usr/bin:/bin LANG=C.UTF-8 USER=eosvault \
                    LOGNAME=eosvault CREDENTIALS_DIRECTORY="$credentials" INVOCATION_ID=1 \
                    setsid --wait $(setting "$line" "$instance")
            ) </dev/null >"$root/journal.$line" 2>&1 || status=$?
        fi
    done
    cat "$root"/journal.* >"$root/journal"
    echo "$status" >"$root/status"
    [ "$status" = 0 ]
}

# MARK: the page

# shellcheck disable=SC2016 # the backquotes are text
sed -n '/^```$/,/^```$/s/^\$ //p' "$page" >"$root/commands"
[ "$(wc -l <"$root/commands")" -gt 20 ] || fail "the page has few commands"
cp "$examples/transfer.json" "$root/work/withdrawal-17.json"
cd "$root/work"
while IFS= read -r line <&3; do
    eval "$(printf '%s\n' "$line" | move_paths)" 3<&- >"$root/output" 2>&1 || fail "failed: $line"
    case $line in
    *' list') grep -q '^EOS.* hot' "$root/output" || fail "$line prints another list" ;;
    *'journalctl '*) grep -q 'alice pays 1.0000 EOS to bob' "$root/output" || fail "the review is missing" ;;
    *'show '*) [ "$(cat "$root/output")" = 0 ] || fail "the exit status is not 0" ;;
    *' log '*) grep -q signed "$root/output" || fail "$line prints no signature" ;;
    'cat '*) grep -q '"SIG_K1_' "$root/output" || fail "$line prints no signature" ;;
    'printf '*)
        # The next transaction uses the encrypted credential.
        cp "$examples/transfer.json" "$root/var/spool/eosvault/in/encrypted.json"
        ;;
    esac
done 3<"$root/commands"
if [ "$is_root" = yes ] && as_user cat "$root/etc/eosvault/pin.cred" 2>/dev/null; then fail "others read the PIN"; fi
[ ! -e "$root/etc/eosvault/pin" ] || fail "the PIN is on the disk"
systemctl start eosvault-sign@encrypted || fail "the encrypted PIN does not open the vault"
out=$root/var/spool/eosvault/out
cmp "$out/withdrawal-17.json" "$out/encrypted.json" || fail "the signatures differ"
[ "$(stat -c %a "$out/encrypted.json")" = 640 ] || fail "the mode of the output"
if [ $systemd = yes ]; then starter="started by systemd"; else starter="without systemd"; fi
echo "ok   the commands of the page, $starter"

# MARK: other keys, layouts and refusals, without systemd

in=$root/var/spool/eosvault/in pin=$root/work/pin
install -m 600 /dev/null "$pin"
creds systemd-creds decrypt --name=pin "$root/etc/eosvault/pin.cred" - >"$pin"
systemd=no
base64 "$pin" >"$root/etc/eosvault/pin.cred"
rm -r "$root/var/lib/eosvault/.local"
by_hand eosvault init --pin-file - <"$pin" >"$root/output" 2>&1 || fail "init"
install -m 600 -o eosvault "$examples/throwaway-key.txt" "$root/var/lib/eosvault/key"
by_hand eosvault import "$root/var/lib/eosvault/key" --pin-file - <"$pin" >"$root/output" 2>&1 || fail "import"

# arguments: a name, the exit status, a regular expression for the journal. Signs in/NAME.json.
try() {
    start "eosvault-sign@$1" || true
    [ "$(cat "$root/status")" = "$2" ] || fail "$1: exit status $(cat "$root/status") instead of $2"
    grep -qE "$3" "$root/journal" || fail "$1: the journal lacks $3"
}
signature() { grep -o 'SIG_K1_[1-9A-HJ-NP-Za-km-z]*' "$1"; }

cp "$examples/transfer.json" "$in/cleos.json"
try cleos 0 'alice pays 1.0000 EOS'
[ "$(signature "$out/cleos.json")" = "$(signature "$examples/transfer.signed.json")" ] || fail "not cleos's signature"
echo "ok   the signature is that of cleos"

if grep -q 'other users' "$root/journal"; then fail "a warning about the credential"; fi
if [ "$is_root" = yes ]; then
    cp "$examples/transfer.json" "$in/tmpfs.json"
    layout=tmpfs mode=440 groups=0
    try tmpfs 0 'alice pays 1.0000 EOS'
    if grep -q 'other users' "$root/journal"; then fail "a warning about the credential on tmpfs"; fi
    layout=ramfs mode=400 groups=$group
    echo "ok   the credential on tmpfs"
fi

cp "$examples/transfer.json" "$in/refused.json"
mode=420
try refused 1 'pin: other users can modify it \(mode 420\)$'
mode=440
try refused 0 'warning: .*pin: other users can read it \(mode 440\)'
mode=400
try refused 1 'refused.json: .*exists'
echo 'another passphrase' | base64 >"$root/etc/eosvault/pin.cred"
rm "$out/refused.json"
try refused 77 'PIN is wrong|wrong PIN'
base64 "$pin" >"$root/etc/eosvault/pin.cred"
cat >"$in/refused.json" <<'END'
{"expiration": "2026-12-01T00:00:00", "ref_block_num": 1000, "ref_block_prefix": 305419896, "actions": [{
    "account": "eosio", "name": "updateauth", "authorization": [{"actor": "alice", "permission": "owner"}],
    "data": {"account": "alice", "permission": "owner", "parent": "", "auth": {"threshold": 1, "accounts": [],
        "waits": [], "keys": [{"key": "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC", "weight": 1}]}}}]}
END
try refused 3 'owner-change'
[ ! -e "$out/refused.json" ] || fail "a refused transaction was signed"
try missing 1 'missing.json: '
echo "ok   refusals"
