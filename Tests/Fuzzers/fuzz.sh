#!/usr/bin/env bash
# Builds the fuzzers and runs them one after the other, each with its corpus. The first input that causes a failure ends
# the script, and is stored below BUILD-PATH/found.
#
# Usage: Tests/Fuzzers/fuzz.sh BUILD-PATH [NAME...]
# NAME is csv, json, predicate, import, model, xml-store or binary-store (default: all).
# Environment: FUZZ_SECONDS, the duration of each fuzzer (default: 600).
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: Tests/Fuzzers/fuzz.sh BUILD-PATH [NAME...]" >&2
    exit 64
fi
mkdir -p "$1"
build=$(cd "$1" && pwd)
shift
folder=$(cd "$(dirname "$0")" && pwd)
names=("$@")
if [ $# -eq 0 ]; then names=(csv json predicate import model xml-store binary-store); fi

# The programs have no main function, because libFuzzer contains it. The build does not use the address sanitizer,
# because coverage is not counted with it here. It is testable, because the writers of exports are not public.
swift build -c release --package-path "$folder" --build-path "$build" --sanitize=fuzzer \
    -Xswiftc -parse-as-library -Xswiftc -enable-testing
bin=$(swift build -c release --package-path "$folder" --build-path "$build" --show-bin-path)

mkdir -p "$build/found"
for name in "${names[@]}"; do
    # New inputs are stored between runs, in addition to the small corpus of the repository.
    mkdir -p "$build/corpus/$name"
    echo "fuzz $name: ${FUZZ_SECONDS:-600} seconds"

    "$bin/fuzz-$name" "$build/corpus/$name" "$folder/Corpus/$name" \
        -dict="$folder/Corpus/$name.dict" -max_total_time="${FUZZ_SECONDS:-600}" -max_len="${FUZZ_LENGTH:-1024}" \
        -timeout=10 -rss_limit_mb=1024 -malloc_limit_mb=256 -print_final_stats=1 -verbosity="${FUZZ_VERBOSITY:-0}" \
        -artifact_prefix="$build/found/$name-" 2>&1 | tail -n "${FUZZ_LINES:-40}"
done
