#!/usr/bin/env bash
# Compares the speed of generating employees: the tool, a C program that writes the same bytes, and Faker and mimesis if
# they are installed. Prints rows per second, peak memory, and the ratio of each median time to that of the C program.
#
# Usage: Tests/Benchmarks/Fixtures/bench.sh BUILD-PATH STRATA
# Environment: RUNS, the count of interleaved runs (default: 7); ROWS of employees (default: 1000000); PEER_ROWS of
# employees by Faker and mimesis (default: 20000).
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: Tests/Benchmarks/Fixtures/bench.sh BUILD-PATH STRATA" >&2
    exit 64
fi
runs=${RUNS:-7}
rows=${ROWS:-1000000}
peer_rows=${PEER_ROWS:-20000}
mkdir -p "$1"
build=$(cd "$1" && pwd)
tool=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
package=$(cd "$(dirname "$0")" && pwd)
for program in cc python3 /usr/bin/time awk cmp; do
    if ! command -v "$program" >/dev/null; then
        echo "bench-fixtures: $program is missing (apt-get install gcc python3 time diffutils)" >&2
        exit 1
    fi
done

python3 "$package/tables.py" "$package/../../../Modules/FixtureGeneration" >"$build/tables.h"
cc -O2 -I "$build" -o "$build/peer" "$package/peer.c"
folder=$(mktemp -d "$build/run.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"

generate=("$tool" generate --model reference --seed 42 --count "Employee=$rows,Boss=1000" --quiet)
strata=("${generate[@]}" --entity Employee)
threaded() { "${strata[@]}" --threads 2 --output strata.csv; }
single() { "${strata[@]}" --threads 1 --output strata.csv; }
directory() { "${generate[@]}" --output fixtures; }
store() { rm -f store.sqlite; "${generate[@]}" --store store.sqlite; }
c() { "$build/peer" 42 "$rows" 1000 >c.csv; }

# Appends the duration of a function in microseconds to its file.
measure() {
    local begun=${EPOCHREALTIME/[.,]/}
    "$1"
    echo $((${EPOCHREALTIME/[.,]/} - begun)) >>"$1.times"
}
median() { sort -n "$1.times" | awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] / 1e6 }'; }

threaded
c
cmp strata.csv c.csv
echo "the C program writes the same bytes"
for ((run = 0; run < runs; run++)); do
    for side in threaded c single directory store; do measure "$side"; done
done
reference=$(median c)
for side in threaded single directory store c; do
    awk -v name="$side" -v time="$(median "$side")" -v reference="$reference" -v rows="$rows" 'BEGIN {
        printf "%-10s %7.3f s %10.0f rows/s   ratio %s %.2f\n", name, time, rows / time, name, time / reference }'
done
memory=$( { /usr/bin/time -f %M "${strata[@]}" --output strata.csv; } 2>&1 | tail -n 1)
echo "memory     $memory KiB for $rows rows"

for peer in faker mimesis; do
    if ! python3 -c "import $peer" 2>/dev/null; then
        echo "$peer is not installed (pip install $peer)"
        continue
    fi
    begun=${EPOCHREALTIME/[.,]/}
    python3 "$package/peers.py" "$peer" "$peer_rows" >peer.csv
    awk -v peer="$peer" -v time="$((${EPOCHREALTIME/[.,]/} - begun))" -v rows="$peer_rows" 'BEGIN {
        printf "%-10s %7.3f s %10.0f rows/s   for %d rows\n", peer, time / 1e6, rows / (time / 1e6), rows }'
done
