#!/bin/sh
# Builds the fuzz target and runs it for each law, or for the laws of these names: one on each
# processor. Corpora, logs and inputs that break a law are kept in .build/fuzz.
# usage: fuzz.sh SECONDS [NAME...]
#        fuzz.sh --law SECONDS NAME     runs one law with the target that is built
set -eu
cd "$(dirname "$0")/../.."
isOne=false
if [ "${1:-}" = --law ]; then
    isOne=true
    shift
fi
seconds=${1:?usage: sh Tests/Tools/fuzz.sh SECONDS [NAME...]}
shift
export EOSVAULT_FUZZ=1
# Without this, a crash waits in Swift's backtracer.
export SWIFT_BACKTRACE=enable=no
work=.build/fuzz
program=$work/release/eosvault-fuzz

# The maximum input length in bytes. It must exceed the limits of Base58, 4096 characters, and of
# URLs, 8192. ABIs, and files that contain one, are long.
longest() {
    case $1 in
    Base58) echo 4200 ;;
    ABIJSON | RawABI | VectorFile | ScannedBytes) echo 8192 ;;
    RequestURL) echo 8300 ;;
    *) echo 4096 ;;
    esac
}

# Runs the law and prints its figures. A law that is broken ends the script.
run() {
    name=$1
    export EOSVAULT_LAW="$name"
    log=$work/$name.log
    mkdir -p "$work/corpus/$name" "$work/broken/$name"
    EOSVAULT_SEEDS=$work/corpus/$name "$program"
    # The limits for one input: 5 s, 256 MiB in total, 64 MiB in one allocation.
    set -- -timeout=5 -rss_limit_mb=256 -malloc_limit_mb=64 "-max_len=$(longest "$name")" \
        "-artifact_prefix=$work/broken/$name/"
    if [ -e "Tests/Laws/Fuzz/$name.dict" ]; then set -- "$@" "-dict=Tests/Laws/Fuzz/$name.dict"; fi
    if ! "$program" "$@" "-max_total_time=$seconds" -print_final_stats=1 "$work/corpus/$name" >"$log" 2>&1; then
        grep -E 'broken:|Fatal error|ERROR: libFuzzer' "$log" >&2 || tail -n 20 "$log" >&2
        input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        echo "fuzz: an input breaks $name (the log is $log); replay it with:" >&2
        echo "EOSVAULT_LAW=$name SWIFT_BACKTRACE=enable=no $program -timeout=5 -rss_limit_mb=256" \
            "-malloc_limit_mb=64 $input" >&2
        # xargs starts no other law after this status.
        exit 255
    fi
    figures='DONE|number_of_executed_units|average_exec_per_sec|slowest_unit_time_sec|peak_rss_mb'
    printf '%s: %s s\n%s\n' "$name" "$seconds" "$(grep -E "$figures" "$log")"
}

if $isOne; then
    run "$1"
    exit
fi

# The address sanitizer is off, because its checks use up most of the coverage counters.
swift build -c release --scratch-path $work --sanitize fuzzer --product eosvault-fuzz
if [ $# -eq 0 ]; then
    names=$("$program")
    # shellcheck disable=SC2086 # names without spaces
    set -- ${names:?no laws}
fi
printf '%s\n' "$@" | xargs -n 1 -P "$(nproc)" sh Tests/Tools/fuzz.sh --law "$seconds"
