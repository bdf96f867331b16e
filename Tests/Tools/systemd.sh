#!/bin/sh
# Runs each command of Examples/systemd/README.md as printed, in a folder instead of /. This script
# runs the units' commands with the environment and the credential that systemd.exec(5) describes.
# Then it tests what the services refuse. With EOSVAULT_SYSTEMD=1, for root, systemd starts the
# units: the script writes units to /run/systemd/system, and systemd may make its credential key.
# usage: systemd.sh STAGE EXAMPLES
#   STAGE      what `make install` copies
#   EXAMPLES   the folder Vectors/examples
set -eu
stage=$(realpath "$1") examples=$(realpath "$2")
cd "$(dirname "$0")/../.."
page=$PWD/Examples/systemd/README.md tool=$PWD/Tests/Tools/systemd.py
export LC_ALL=C.UTF-8
export USER="${USER:-alice}"
umask 022

fail() {
    echo "systemd: $1" >&2
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
root='' prefix='' processes=''
clean() {
    if [ $? != 0 ]; then
        # A failure in a command of the page is in its output.
        for file in output verified journal http-journal agent-journal; do
            if [ -e "$root/$file" ]; then sed "s/^/  $file: /" "$root/$file" >&2; fi
        done
    fi
    for process in $processes; do kill "$process" 2>/dev/null || true; done
    rm -rf "$root"
    if [ "$is_started" = yes ] && [ -n "$prefix" ]; then
        command systemctl stop "$prefix*.socket" "$prefix*.path" "$prefix*.timer" || true
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
# The user who has an agent of their own. The path of a socket is short.
HOME=$root/home XDG_RUNTIME_DIR=$root/run/user/$(id -u) PATH=$root/usr/local/bin:$PATH
export HOME XDG_RUNTIME_DIR PATH
unset XDG_DATA_HOME XDG_STATE_HOME XDG_CONFIG_HOME
mkdir -p "$HOME" "$XDG_RUNTIME_DIR"
chmod 700 "$HOME" "$XDG_RUNTIME_DIR"
sh Packaging/install.sh install "$root/usr/local" eosvault "$stage"

python3 "$tool" node "$root/port" &
processes=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do [ -e "$root/port" ] || sleep 1; done
port=$(cat "$root/port")

# Puts the folder before the paths of the page and the units, and replaces the node's port.
move_paths() {
    sed -E "s,$root,,g; s,%S/,/var/lib/,g; s,127\.0\.0\.1:8888,127.0.0.1:$port,
        s,(/usr/local/|/etc/|/var/lib/|/var/spool/|/var/backups/|/run/eosvault|/run/user/),$root&,g"
}

# MARK: the programs that the page uses

# Runs a program as the user of the service. `groups` are its other groups.
as_user() {
    # shellcheck disable=SC2046 # words without spaces
    set -- $(user_words) "$@"
    "$@"
}
user_words() {
    if [ "$is_root" = yes ]; then
        echo "setpriv --reuid $user --regid $group --groups ${groups:-$group} --no-new-privs"
    fi
}

by_hand() { as_user env -i HOME="$root/var/lib/eosvault" PATH="$root/usr/local/bin:/usr/bin:/bin" "$@"; }

# Reads the PIN from standard input. Without systemd, the key derivation is cheap.
make_vault() {
    if [ $systemd = yes ]; then by_hand eosvault init --pin-file -; else
        by_hand eosvault init --pin-file - --kdf-passes 1 --kdf-memory 8KiB --insecure-kdf
    fi
}

sudo() {
    case $* in
    '-u eosvault -H eosvault init --pin-file -') make_vault ;;
    '-u eosvault -H eosvault policy set '*)
        shift 3
        by_hand "$@" --yes --new-second-file "$root/work/policy-pin"
        ;;
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

socat() { python3 "$tool" connect "${4#UNIX-CONNECT:}"; }

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

# The real names of units start with the name of the folder.
real() { echo "$*" | sed -E "s/(eosvault|claimrewards)-/$prefix&/g"; }

journalctl() {
    if [ "$systemd" = no ]; then cat "$root/journal"; else
        command journalctl --sync
        # shellcheck disable=SC2046 # words without spaces
        command journalctl $(real "$@")
    fi
}

systemctl() {
    case "$systemd $*" in
    'no daemon-reload') verify_units ;;
    'no start '*) start "$2" ;;
    'no show '*) cat "$root/status" ;;
    'no enable --now eosvault-http.socket') listen ;;
    'no enable --now eosvault-agent.socket') activate_agent ;;
    *' --user daemon-reload') ;;
    *' --user enable --now eosvault-agent.socket') activate_own ;;
    'no enable --now eosvault-agent-unlock') start "$3" ;;
    *' enable eosvault-lock@'*) [ -e "$root/etc/systemd/system/eosvault-lock@.service" ] ;;
    'no enable --now '*) [ -e "$root/etc/systemd/system/$3" ] ;;
    'yes daemon-reload')
        verify_units
        rm -rf "${units:?}/$prefix"*
        for unit in $(unit_names); do
            moved_unit "$unit" | sed -E "/^(Requires|After)=/s/(eosvault|claimrewards)-/$prefix&/g
                s,^RuntimeDirectory=,&$prefix,; s,$root/run/eosvault-claim,/run/${prefix}eosvault-claim," \
                >"$units/$prefix$unit"
        done
        command systemctl daemon-reload
        ;;
    'yes enable --now '*)
        # shellcheck disable=SC2046 # words without spaces
        command systemctl start $(real "$3")
        ;;
    *)
        # shellcheck disable=SC2046 # words without spaces
        command systemctl $(real "$@")
        ;;
    esac
}

# shellcheck source=Tests/Tools/systemd-units.sh
. Tests/Tools/systemd-units.sh

# MARK: the page

# shellcheck disable=SC2016 # the backquotes are text
sed -n '/^```$/,/^```$/s/^\$ //p' "$page" >"$root/commands"
[ "$(wc -l <"$root/commands")" -gt 20 ] || fail "the page has few commands"
[ "$(wc -l <"$root/commands")" = "$(grep -c '^\$ ' "$page")" ] || fail "a command is in no block"
cp "$examples/transfer.json" "$root/work/withdrawal-17.json"
cd "$root/work"
(umask 077 && echo 'a passphrase of several words' >own-pin)
eosvault init --pin-file own-pin --kdf-passes 1 --kdf-memory 8KiB --insecure-kdf >"$root/output" 2>&1 || fail "init"
echo 'another passphrase of several words' >policy-pin
echo 'secret-of-the-exchange' >api-secret
# arguments: an amount, the number of an invoice
payout() {
    eosvault build transfer payouts bob "$1" "invoice $2" --permission payouts@pay --chain eos --expires 5m \
        --block-id 1bd92007c2d6bd3c14dd6c9ef3e83a1e8bf1ac2c3c8d6c8f1ea4ddd4a1b0c9d2 |
        eosvault transaction pack --hex -
}
{ payout '1.0000 A' 17 && payout '2.0000 A' 18; } >withdrawals.txt
while IFS= read -r line <&3; do
    eval "$(printf '%s\n' "$line" | move_paths)" 3<&- >"$root/output" 2>&1 || fail "failed: $line"
    case $line in
    *' socat '*) grep -q '"ACCESS-SIGNATURE"' "$root/output" || fail "$line prints no signature" ;;
    *'sudo ls '*) grep -q '^vault-20.*Z\.db$' "$root/output" || fail "$line shows no backup" ;;
    *' list') grep -q '^EOS.* hot' "$root/output" || fail "$line prints another list" ;;
    *'journalctl '*) grep -q 'alice pays 1.0000 EOS to bob' "$root/output" || fail "the review is missing" ;;
    'eosvault-agent status'*) grep -q '^state    unlocked' "$root/output" || fail "$line shows no unlocked vault" ;;
    'eosvault-agent sign'*) grep -q '"SIG_K1_' "$root/output" || fail "$line prints no signature" ;;
    'eosvault-agent lock') grep -q '^locked$' "$root/output" || fail "$line does not lock" ;;
    *'show '*) [ "$(cat "$root/output")" = 0 ] || fail "the exit status is not 0" ;;
    *' log '*) grep -q signed "$root/output" || fail "$line prints no signature" ;;
    'cat '*) grep -q '"SIG_K1_' "$root/output" || fail "$line prints no signature" ;;
    *LoadCredentialEncrypted*)
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
make_vault <"$pin" >"$root/output" 2>&1 || fail "init"
install -m 600 -o eosvault "$examples/throwaway-key.txt" "$root/var/lib/eosvault/key"
by_hand eosvault import "$root/var/lib/eosvault/key" --label hot --pin-file - <"$pin" >"$root/output" 2>&1 ||
    fail "import"

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

# MARK: the spool and the backups

spool=$root/var/spool/eosvault
by_hand eosvault create --label payout --pin-file - <"$pin" >"$root/output" 2>&1 || fail "create"
# arguments: a name, the exit status, the folder where it goes, a regular expression for the journal
try_batch() {
    start eosvault-batches || true
    [ "$(cat "$root/status")" = "$2" ] || fail "batch $1: exit status $(cat "$root/status") instead of $2"
    if [ -e "$spool/batches/$1" ] || [ ! -e "$spool/$3/$1" ]; then fail "batch $1: not moved to $3"; fi
    grep -qE "$4" "$root/journal" || fail "batch $1: the journal lacks $4"
}
{ payout '1.0000 A' 1 && echo 'no transaction'; } >"$spool/batches/mixed"
try_batch mixed 1 failed '^mixed:$'
[ "$(grep -c '"SIG_K1_' "$spool/signed/mixed")$(grep -c '"error"' "$spool/signed/mixed")" = 11 ] ||
    fail "the results of a batch with a refused line"
[ "$(stat -c %a "$spool/signed/mixed")" = 640 ] || fail "the mode of the results"
payout '1.0000 A' 2 >"$spool/batches/mixed"
try_batch mixed 1 failed '^mixed: results with this name exist already$'
[ "$(cat "$spool/failed/mixed" "$spool/failed/mixed.~1~" | wc -l)" = 3 ] || fail "a batch was overwritten"
ln -s "$pin" "$spool/batches/link"
start eosvault-batches && fail "a link was signed"
grep -q '^link: not a file$' "$root/journal" || fail "a link is no batch"
echo 'another passphrase' | base64 >"$root/etc/eosvault/pin.cred"
payout '1.0000 A' 3 >"$spool/batches/again"
try_batch again 77 failed 'PIN is wrong|wrong PIN'
[ ! -e "$spool/signed/again" ] || fail "results without a signature"
backups=$root/var/backups/eosvault
touch -d '40 days ago' "$backups/vault-old.db"
start eosvault-backup && fail "a backup with a wrong PIN"
[ -e "$backups/vault-old.db" ] || fail "an old backup was removed, and none was made"
base64 "$pin" >"$root/etc/eosvault/pin.cred"
mv "$spool/failed/again" "$spool/batches/"
try_batch again 0 'done' 'payouts pays 1.0000 A'
grep -q '"SIG_K1_' "$spool/signed/again" || fail "a batch is not signed when it is tried again"
start eosvault-backup || fail "no backup"
[ ! -e "$backups/vault-old.db" ] || fail "an old backup is kept"
[ "$(find "$spool/signed" -name '.*' -type f | wc -l)" = 0 ] || fail "temporary results are left"
echo "ok   the spool and the backups"
