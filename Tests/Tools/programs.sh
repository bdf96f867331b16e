#!/bin/sh
# Runs Examples/python and Examples/node with a throw-away vault. They sign as cleos does, and each
# failure has its exit status: a wrong PIN, a vault in use, a danger, another payment, a transaction
# that changes after its review, a killed program.
# usage: programs.sh PROGRAM
set -eu
PROGRAM=$(realpath "$1")
root=$(realpath "$(dirname "$0")/../..")
published=$root/Vectors/examples
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
export PROGRAM XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/state"
umask 077

fail() {
    echo "programs: $example: $1" >&2
    cat output errors >&2
    exit 1
}

# The examples run this script instead of eosvault. It writes down its arguments and environment.
# Under another name it has a fault in `sign`.
cat >eosvault <<'END'
#!/bin/sh
{ echo "run: $*"; env; } >>calls
case $1-${0##*/} in
sign-changed)
    # Another amount in the bytes of the transfer
    sed 's/3d1027/3d1127/' | "$PROGRAM" "$@"
    ;;
sign-killed)
    "$PROGRAM" "$@" >/dev/null 2>&1
    kill -9 $$
    ;;
sign-uncertain)
    "$PROGRAM" "$@" >/dev/null 2>&1
    echo '{"error":{"code":"commit-uncertain","message":"a power failure may undo it"}}' >&2
    exit 1
    ;;
*) exec "$PROGRAM" "$@" ;;
esac
END
chmod +x eosvault
for fault in changed killed uncertain; do ln -s eosvault "$fault"; done

# Holds a lock of the vault until its standard input ends.
cat >hold.py <<'END'
import sqlite3, sys
vault = sqlite3.connect(sys.argv[1], isolation_level=None)
vault.execute(f"BEGIN {sys.argv[2]}")
print("locked", flush=True)
sys.stdin.read()
END

# Transactions and orders
cp "$published/transfer.json" .
# - Parameter 1: ref_block_num; 2: the memo
payment() {
    cat <<END
{"expiration": "2099-12-01T00:00:00", "ref_block_num": $1, "ref_block_prefix": 1, "actions": [
  {"account": "eosio.token", "name": "transfer", "authorization": [{"actor": "alice", "permission": "active"}],
   "data": {"from": "alice", "to": "bob", "quantity": "1.0000 EOS", "memo": "$2"}}]}
END
}
# - Parameter 1: the quantity; 2: the memo
order() {
    printf '{"contract": "eosio.token", "from": "alice", "to": "bob", "quantity": "%s", "memo": "%s"}\n' "$1" "$2"
}
payment 1 later >first.json
payment 2 later >second.json
payment 1 "$(cat "$published/throwaway-key.txt")" >memo.json
# A character that reverses the text after it
reversing=$(printf '\342\200\256')
payment 1 "$reversing" >reversing.json
# - Parameter 1: a member of the transaction in addition to those of first.json
with() { sed "s/\"actions\"/$1, \"actions\"/" first.json; }
with '"delay_sec": 1' >delay.json
with '"context_free_actions": [{"account": "eosio.null", "name": "nonce", "authorization": [], "data": ""}]' >free.json
with '"transaction_extensions": [[9, "00"]]' >extension.json
cat >owner.json <<'END'
{"expiration": "2099-12-01T00:00:00", "ref_block_num": 1, "ref_block_prefix": 1, "actions": [
  {"account": "eosio", "name": "updateauth", "authorization": [{"actor": "alice", "permission": "owner"}],
   "data": {"account": "alice", "permission": "owner", "parent": "", "auth": {"threshold": 1, "keys": [
     {"key": "EOS5o7Y8p2PZhF5ycRbyoTdWz4SMCDgGi4YwPHoc7iCKk5bJDNXSS", "weight": 1}], "accounts": [], "waits": []}}}]}
END
echo '{"expiration": "2099-12-01' >garbage.json
order '1.0000 EOS' hello >transfer.order
order '1.0000 EOS' later >later.order
order '1.0001 EOS' hello >other.order
order '1.0000 EOS' "$(cat "$published/throwaway-key.txt")" >memo.order
echo '{"to": "bob"}' >garbage.order
echo 'not the PIN of this vault' >wrong-pin

signature() { grep -o 'SIG_K1_[1-9A-HJ-NP-Za-km-z]*' "$1"; }
cleos=$(signature "$published/transfer.signed.json")

# Runs the example.
# - Parameter 1: the transaction; 2: the order; then other options
run_example() {
    rm -f calls
    transaction=$1 order=$2
    shift 2
    # shellcheck disable=SC2086 # a program and its argument
    $example "$transaction" "$order" signed.json --vault vault.db --key hot --chain eos --pin-file pin \
        --eosvault ./eosvault --tries 1 "$@" >output 2>errors
}
# - Parameter 1: `inspect` or `sign`; 2: how often eosvault runs it
expect_runs() {
    runs=$(grep -c "^run: $1 " calls || true)
    [ "$runs" = "$2" ] || fail "eosvault ran $1 $runs times, not $2"
}
expect_signature() {
    [ "$(signature output)" = "$1" ] || fail "printed another signature"
    [ "$(signature signed.json)" = "$1" ] || fail "wrote another signature"
    rm signed.json
    # No argument and no variable has the PIN.
    ! grep -qFf pin calls || fail "the PIN is in an argument or in the environment"
}
# Expects that the example fails, prints one line of errors, and writes no file.
# - Parameter 1: its exit status; 2: a part of its error; then as for run_example
refuses() {
    expected=$1 text=$2 status=0
    shift 2
    run_example "$@" || status=$?
    [ "$status" = "$expected" ] || fail "the exit status is $status, not $expected: $text"
    grep -q "^sign\.[a-z]*: error: .*$text" errors || fail "the error is not: $text"
    [ "$(grep -cv 'trying again in' errors)" = 1 ] || fail "an error has several lines: $text"
    if [ -e signed.json ] || [ -e signed.json.part ]; then fail "wrote a file: $text"; fi
}

# Starts a process that uses the vault. `release` ends it: it closes the last descriptor 3.
# - Parameter 1: IMMEDIATE to permit reading, or EXCLUSIVE
hold() {
    rm -f pipe held
    mkfifo pipe
    python3 hold.py vault.db "$1" <pipe >held &
    holder=$!
    exec 3>pipe
    until grep -qs locked held; do
        kill -0 "$holder" || fail "the vault can't be locked"
        sleep 0.1
    done
}
release() {
    exec 3>&-
    wait "$holder"
}

check_example() {
    rm -rf vault.db pin "$XDG_STATE_HOME"
    "$PROGRAM" init --random-pin pin --vault vault.db >output 2>errors || fail "no vault"
    cp "$published/throwaway-key.txt" key
    "$PROGRAM" import key --label hot --pin-file pin --vault vault.db >output 2>errors || fail "no key"
    cp vault.db unused.db

    # Refusals before the PIN is needed do not change the vault.
    refuses 3 'not the payment of the order' transfer.json other.order
    refuses 3 'not the payment of the order' owner.json transfer.order
    refuses 3 'not the payment of the order' reversing.json transfer.order
    ! grep -q "$reversing" output || fail "prints a character that acts on a terminal"
    refuses 3 'has delay_sec' delay.json later.order
    refuses 3 'has context_free_actions' free.json later.order
    refuses 3 'has transaction_extensions' extension.json later.order
    expect_runs sign 0
    refuses 3 '(danger-not-allowed)' memo.json memo.order
    expect_runs sign 1
    refuses 1 '(wrong-fields)' transfer.order transfer.order
    refuses 1 '(invalid-json)' garbage.json transfer.order
    refuses 1 'not an order' transfer.json garbage.order
    refuses 1 '(other-transaction)' transfer.json transfer.order --eosvault ./changed
    expect_runs sign 1
    refuses 64 '(unknown-chain)' transfer.json transfer.order --chain unknown
    refuses 64 '' transfer.json transfer.order --unknown
    refuses 64 tries transfer.json transfer.order --tries several
    refuses 1 'missing does not start' transfer.json transfer.order --eosvault ./missing
    refuses 1 'printed no JSON' transfer.json transfer.order --eosvault /bin/true
    cmp vault.db unused.db || fail "a refusal changed the vault"

    # A killed program and an uncertain record: the same transaction gets the same signature.
    refuses 1 'was killed by .*the same transaction' transfer.json transfer.order --eosvault ./killed --tries 5
    expect_runs sign 1
    refuses 1 '(commit-uncertain).*the same transaction' transfer.json transfer.order --eosvault ./uncertain --tries 5
    expect_runs sign 1
    run_example transfer.json transfer.order || fail "does not sign"
    expect_runs sign 1
    expect_signature "$cleos"

    # Another transaction with the same payment
    run_example first.json later.order || fail "does not sign"
    rm signed.json
    refuses 3 '(warning-refused)' second.json later.order
    echo another >signed.json
    status=0
    run_example transfer.json transfer.order || status=$?
    [ "$status $(cat signed.json)" = '1 another' ] || fail "overwrites a file"
    rm signed.json

    # A wrong PIN is not tried again.
    refuses 77 '(wrong-pin)' transfer.json transfer.order --pin-file wrong-pin --tries 5
    expect_runs sign 1

    # A vault that stays in use, and one that is free again after the first try
    hold EXCLUSIVE
    refuses 75 '(busy)' transfer.json transfer.order --tries 2
    expect_runs inspect 2
    expect_runs sign 0
    [ "$(grep -c 'trying again in 1 s' errors)" = 1 ] || fail "does not report the second try"
    release
    hold IMMEDIATE
    rm -f errors ended
    (
        run_example transfer.json transfer.order --tries 100 || true
        : >ended
    ) 3>&- &
    until grep -qs 'trying again in 1 s' errors; do
        [ ! -e ended ] || fail "does not try again"
        sleep 0.1
    done
    release
    wait
    expect_runs inspect 1
    expect_signature "$cleos"

    # One failed unlock, and no signature without a result except those of the two faults
    "$PROGRAM" log --json --vault vault.db --pin-file pin >output 2>errors || fail "the log can't be read"
    [ "$(grep -c '"event":"failed-unlocks","count":1,' output)" = 1 ] || fail "not one failed unlock"
    [ "$(grep -c '"event":"signed"' output)" = 5 ] || fail "the log has other signatures"
}

for example in "python3 $root/Examples/python/sign.py" "node $root/Examples/node/sign.mjs"; do
    check_example
done
echo "the examples in Python and Node sign as cleos does, and report each failure"
