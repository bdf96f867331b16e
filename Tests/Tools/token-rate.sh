#!/bin/sh
# Measures `sign --lines` with a key in SoftHSM next to a loop in C that only signs with the same
# key, K1 until canonical, and prints signatures per second and their ratio: the median of rounds.
# Both are measured by the clock, because the token has a process of its own. Run it while the
# machine does nothing else.
# usage: token-rate.sh PROGRAM [COUNT [ROUNDS]]
#   COUNT   lines of a round (4000)
#   ROUNDS  9: on a shared machine, the ratios of single rounds differ by a half
set -eu
program=$(realpath "$1")
count=${2:-4000}
rounds=${3:-9}
cd "$(dirname "$0")/../.."
sources=$PWD
module=/usr/lib/softhsm/libsofthsm2.so
[ -e "$module" ] || {
    echo "token-rate: skipped, SoftHSM is not installed"
    exit
}
TMPDIR=$(sh Tests/Tools/temporary-folder.sh)
work=$(mktemp -d "$TMPDIR/eosvault-rate-XXXXXX")
trap 'rm -rf "$work"' EXIT
umask 077
cd "$work"
${CC:-cc} -O2 -I "$sources/Sources/C/CToken/include" "$sources/Tests/Token/rate/loop.c" \
    "$sources/Sources/C/CToken/token.c" -ldl -o loop
mkdir tokens
printf 'directories.tokendir = %s/tokens\nobjectstore.backend = file\n' "$work" >softhsm2.conf
export SOFTHSM2_CONF="$work/softhsm2.conf" HOME="$work" XDG_DATA_HOME="$work/data" XDG_STATE_HOME="$work/state"
softhsm2-util --init-token --free --label rate --so-pin 12345678 --pin 654321 >/dev/null
echo 654321 >token-pin
echo 'a PIN for measurements' >pin
"$program" init --pin-file pin --kdf-passes 1 --kdf-memory 8KiB --insecure-kdf >/dev/null 2>&1
for curve in k1 r1; do
    "$program" create --token pkcs11:token=rate --curve "$(echo $curve | tr kr KR)" --label $curve \
        --module "$module" --pin-file pin --token-pin-file token-pin >/dev/null 2>notes || {
        cat notes >&2
        exit 1
    }
done

# A payment to an account of its own in each line. Each round has other transactions.
make_lines() {
    awk -v round="$1" -v count="$count" 'BEGIN {
        for (n = 0; n < count; n++) {
            name = "user"
            for (rest = n; length(name) < 9; rest = int(rest / 26)) name = name sprintf("%c", 97 + rest % 26)
            printf "{\"expiration\": \"2099-12-01T00:00:00\", \"ref_block_num\": %d, ", n
            printf "\"ref_block_prefix\": %d, \"actions\": [{\"account\": \"eosio.token\", ", 305419896 + round
            printf "\"name\": \"transfer\", \"authorization\": [{\"actor\": \"alice\", "
            printf "\"permission\": \"active\"}], \"data\": {\"from\": \"alice\", \"to\": \"%s\", ", name
            printf "\"quantity\": \"1.0000 EOS\", \"memo\": \"\"}}]}\n"
        }
    }'
}

now() { date +%s%N; }

median() { sort -n "$1" | sed -n "$((rounds / 2 + 1))p"; }

for curve in k1 r1; do
    rm -f ours loops ratios
    for round in $(seq "$rounds"); do
        make_lines "$round" >lines
        start=$(now)
        "$program" sign --lines lines --chain eos --key $curve --module "$module" --pin-file pin \
            --token-pin-file token-pin --yes >signed 2>shown || {
            tail -n 3 shown >&2
            exit 1
        }
        middle=$(now)
        ./loop "$module" rate $curve "$count" >made
        end=$(now)
        [ "$(grep -c SIG_ signed)" = "$count" ]
        echo $(((middle - start) / 1000)) >>ours
        echo $(((end - middle) / 1000)) >>loops
        echo $(((end - middle) * 100 / (middle - start))) >>ratios
    done
    awk -v name="token sign --lines $curve" -v count="$count" -v ours="$(median ours)" \
        -v loops="$(median loops)" -v ratio="$(median ratios)" 'BEGIN {
        printf "%-26s%10d /s  %10d /s  %5.2f  SoftHSM in C: C_Sign\n",
            name, count * 1e6 / ours, count * 1e6 / loops, ratio / 100
    }'
done
