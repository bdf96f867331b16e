#!/bin/sh
# Builds the fuzz targets, and runs each in turn: sh Tests/fuzz.sh SECONDS [NAME...]
# Corpora, logs and inputs that break a law are kept below .build/fuzz.
set -eu
cd "$(dirname "$0")/.."
seconds=${1:?usage: sh Tests/fuzz.sh SECONDS [NAME...]}
shift
if [ $# -eq 0 ]; then
    for target in Tests/Fuzz/*/*Fuzz.swift; do set -- "$@" "$(basename "$target" Fuzz.swift)"; done
fi
export EOSVAULT_FUZZ=1
# A crash would otherwise wait in the backtracer.
export SWIFT_BACKTRACE=enable=no
work=.build/fuzz

# The longest input in bytes. Base58 has a cap of 4096 characters to go beyond; an ABI, and a file
# that has one, are long.
longest() {
    case $1 in
    Base58) echo 4200 ;;
    ABIJSON | RawABI | VectorFile | CarvedBytes) echo 8192 ;;
    *) echo 4096 ;;
    esac
}

for name; do
    # Without the address sanitizer, whose checks take the place of most of the counters.
    swift build -c release --scratch-path $work --sanitize fuzzer --product "${name}Fuzz"
done

for name; do
    program=$work/release/${name}Fuzz
    log=$work/$name.log
    mkdir -p "$work/corpus/$name" "$work/broken/$name"
    EOSVAULT_SEEDS=$work/corpus/$name "$program"
    # What an input may cost: 5 s, 256 MiB in all, 64 MiB at once.
    set -- -timeout=5 -rss_limit_mb=256 -malloc_limit_mb=64 "-max_len=$(longest "$name")" "-artifact_prefix=$work/broken/$name/"
    if [ -e "Tests/Fuzz/$name.dict" ]; then set -- "$@" "-dict=Tests/Fuzz/$name.dict"; fi
    echo "$name: $seconds s"
    if ! "$program" "$@" "-max_total_time=$seconds" -print_final_stats=1 "$work/corpus/$name" >"$log" 2>&1; then
        grep -E 'broken:|Fatal error|ERROR: libFuzzer' "$log" >&2 || tail -n 20 "$log" >&2
        input=$(sed -n 's/.*Test unit written to //p' "$log" | tail -n 1)
        echo "fuzz: $name is broken (the log is $log); replay it with:" >&2
        echo "SWIFT_BACKTRACE=enable=no $program -timeout=5 -rss_limit_mb=256 -malloc_limit_mb=64 $input" >&2
        exit 1
    fi
    grep -E 'DONE|number_of_executed_units|average_exec_per_sec|slowest_unit_time_sec|peak_rss_mb' "$log"
done
