#!/usr/bin/env bash
# Compares the tool's imports and exports with those of the sqlite3 shell, in interleaved pairs on the same file system.
# Prints for each comparison both medians with their range, the peak memory, and a line "ratio NAME VALUE": the median
# time of Strata divided by that of the peer.
#
# import-any and export-any compare the tool with itself, in time and instructions: a model from a file with the same
# built-in model. infer compares the inference of a model from a file with the import of that file.
#
# Usage: Tests/Benchmarks/Interchange/bench.sh BUILD-PATH STRATA [NAME...]
# NAME is a comparison (default: all).
# Environment: RUNS, the count of pairs (default: 7); ROWS of each dataset (default: 1000000); MEMORY_ROWS of an
# additional measurement of memory (default: none).
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: Tests/Benchmarks/Interchange/bench.sh BUILD-PATH STRATA [NAME...]" >&2
    exit 64
fi
runs=${RUNS:-7}
rows=${ROWS:-1000000}
mkdir -p "$1"
build=$(cd "$1" && pwd)
tool=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
package=$(cd "$(dirname "$0")" && pwd)
shift 2
chosen=("$@")
for program in sqlite3 /usr/bin/time awk; do
    if ! command -v "$program" >/dev/null; then
        echo "bench: $program is missing (apt-get install sqlite3 time)" >&2
        exit 1
    fi
done

swift build -c release --static-swift-stdlib --package-path "$package" --build-path "$build" >&2
bin=$(swift build -c release --static-swift-stdlib --package-path "$package" --build-path "$build" --show-bin-path)
folder=$(mktemp -d "$build/run.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$bin/make-datasets" . "$rows"
"$tool" import bosses.csv --model reference --entity Boss --store bosses.sqlite --quiet
"$tool" import bosses.csv --model reference --entity Boss --store full.sqlite --quiet
"$tool" import employees.csv --entity Employee --store full.sqlite --quiet

# The same tables from a model file. An additional index makes the model different from the built-in one.
"$tool" model show reference --format json | sed 's/"name": "name",/&\n              "strata:indexed": true,/' >any.json
"$tool" import bosses.csv --model any.json --entity Boss --store any-bosses.sqlite --quiet
cp any-bosses.sqlite any-full.sqlite
"$tool" import employees.csv --entity Employee --store any-full.sqlite --quiet

# The table is not STRICT, because .import stores an empty field as an empty text instead of null, and a strict column
# rejects that.
columns='id INTEGER PRIMARY KEY, firstName TEXT NOT NULL, lastName TEXT NOT NULL, salary INTEGER NOT NULL,
    dateHired TEXT NOT NULL, boss INTEGER'
printf '%s\n' "CREATE TABLE Employee ($columns);" ".import --csv --skip 1 employees.csv Employee" >import-plain.sql
# The store has an index over the date, so the peer's table also gets one.
printf '%s\n' 'CREATE TABLE Color (id INTEGER PRIMARY KEY, hex TEXT NOT NULL, name TEXT, dateCreated TEXT NOT NULL);' \
    '.import --csv --skip 1 colors.csv Color' 'CREATE INDEX Color_dateCreated ON Color (dateCreated);' >import-colors.sql
# The lines are imported as one column. No text of the file contains the separators.
printf '%s\n' "CREATE TABLE Employee ($columns);" 'CREATE TEMP TABLE line (text TEXT);' '.mode ascii' \
    '.separator "\001" "\n"' '.import employees.ndjson line' \
    "INSERT INTO Employee SELECT text->>'id', text->>'firstName', text->>'lastName', text->>'salary',
    text->>'dateHired', text->>'boss' FROM line;" >import-ndjson.sql
# The peer exports from the store's own table, so the values have the same types.
query='SELECT id, firstName, lastName, salary, dateHired, boss FROM Employee ORDER BY id'

# Prepares a side of a comparison; every import begins with a new file.
prepare() {
    rm -f bench.sqlite*
    case "$1 $2" in
    "strata import-indexed" | "strata import-ndjson-indexed" | "compiled import-any" | "import infer") cp bosses.sqlite bench.sqlite ;;
    "strata import-any") cp any-bosses.sqlite bench.sqlite ;;
    esac
}
side() {
    case "$1 $2" in
    "strata import-plain") "${measure[@]}" "$bin/plain-import" employees.csv bench.sqlite ;;
    "strata import-indexed") "${measure[@]}" "$tool" import employees.csv --entity Employee --store bench.sqlite --quiet ;;
    "strata import-colors")
        "${measure[@]}" "$tool" import colors.csv --model reference --entity Color --store bench.sqlite --quiet
        ;;
    "strata import-ndjson") "${measure[@]}" "$bin/plain-import" employees.ndjson bench.sqlite ;;
    "strata import-ndjson-indexed") "${measure[@]}" "$tool" import employees.ndjson --entity Employee --store bench.sqlite --quiet ;;
    "strata infer") "${measure[@]}" "$tool" model infer employees.csv --output model.json --quiet ;;
    *" import-any" | "import infer") "${measure[@]}" "$tool" import employees.csv --entity Employee --store bench.sqlite --quiet ;;
    "strata export-any") "${measure[@]}" "$tool" export --entity Employee --store any-full.sqlite --format csv --output out ;;
    "compiled export-any") "${measure[@]}" "$tool" export --entity Employee --store full.sqlite --format csv --output out ;;
    "strata export-"*) "${measure[@]}" "$tool" export --entity Employee --store full.sqlite --format "${2#export-}" \
        --output out ;;
    "sqlite3 import-plain" | "sqlite3 import-indexed") "${measure[@]}" sqlite3 bench.sqlite '.read import-plain.sql' ;;
    "sqlite3 import-ndjson-indexed") "${measure[@]}" sqlite3 bench.sqlite '.read import-ndjson.sql' ;;
    "sqlite3 import-"*) "${measure[@]}" sqlite3 bench.sqlite ".read $2.sql" ;;
    "sqlite3 export-csv") "${measure[@]}" sqlite3 -csv -header full.sqlite "$query" ;;
    "sqlite3 export-"*) "${measure[@]}" sqlite3 -json full.sqlite "$query" ;;
    esac >out.sqlite3 2>errors || { cat errors >&2; exit 1; }
}
measure=(/usr/bin/time -f '%e %M' -o measured -a)

# Appends the time in microseconds, measured by the shell, and the memory, measured by time(1).
run_side() {
    prepare "$1" "$2"
    : >measured
    local begun=${EPOCHREALTIME/[.,]/}
    side "$1" "$2"
    local ended=${EPOCHREALTIME/[.,]/}
    echo "$((ended - begun)) $(awk '{ print $2 }' measured)" >>"$1.$2"
}

summarize() {
    sort -n "$1.$2" | awk -v name="$1" '
        { time[NR] = $1 / 1e6; if ($2 > memory) memory = $2 }
        END {
            median = NR % 2 ? time[(NR + 1) / 2] : (time[NR / 2] + time[NR / 2 + 1]) / 2
            printf "%-8s %7.3f s (%.3f to %.3f) %7.1f MB\n", name, median, time[1], time[NR], memory / 1024
            print median > "median." name
        }'
}

# Compares instructions, which depend neither on the clock nor on other processes. It uses fewer rows, because counting
# takes fifty times as long.
counted_rows=100000
count_instructions() {
    if ! command -v valgrind >/dev/null; then
        echo "bench: valgrind is missing, so instructions are not compared (.ci/setup-valgrind.sh)" >&2
        return
    fi
    local who store
    head -n $((counted_rows + 1)) employees.csv >counted.csv
    for who in strata compiled; do
        store=any-bosses
        if [ "$who" = compiled ]; then store=bosses; fi
        rm -f counted.sqlite*
        cp "$store.sqlite" counted.sqlite
        local import=("$tool" import counted.csv --entity Employee --store counted.sqlite --quiet)
        local job=("${import[@]}")
        if [ "$1" = export-any ]; then
            "${import[@]}"
            job=("$tool" export --entity Employee --store counted.sqlite --format csv --output out)
        fi
        valgrind --tool=cachegrind --cache-sim=no --fair-sched=yes --cachegrind-out-file=profile --log-file=log "${job[@]}"
        awk '/^summary:/ { print $2 }' profile >"count.$who"
    done
    awk -v name="$1" -v a="$(cat count.strata)" -v b="$(cat count.compiled)" 'BEGIN {
        printf "ratio-instructions %s %.3f\n", name, a / b
    }'
}

echo "$rows rows, employees.csv $(wc -c <employees.csv) bytes, $runs pairs; load $(cut -d' ' -f1-3 /proc/loadavg) on $(nproc) cores"
for name in import-plain import-indexed import-colors import-ndjson import-ndjson-indexed export-csv export-ndjson export-json \
    import-any export-any infer; do
    if [ ${#chosen[@]} -gt 0 ] && [[ " ${chosen[*]} " != *" $name "* ]]; then continue; fi
    case "$name" in *-any) peer=compiled ;; infer) peer=import ;; *) peer=sqlite3 ;; esac
    for ((run = 0; run < runs; run++)); do
        # The order changes with every pair, so that neither side always benefits from the caches of the other.
        if ((run % 2)); then run_side "$peer" "$name" && run_side strata "$name"
        else run_side strata "$name" && run_side "$peer" "$name"; fi
    done
    echo "$name"
    summarize strata "$name"
    summarize "$peer" "$name"
    awk -v name="$name" -v a="$(cat median.strata)" -v b="$(cat "median.$peer")" 'BEGIN { printf "ratio %s %.3f\n", name, a / b }'
    if [ "$peer" = compiled ]; then count_instructions "$name"; fi
done

if [ -n "${MEMORY_ROWS:-}" ]; then
    "$bin/make-datasets" . "$MEMORY_ROWS"
    cp bosses.sqlite large.sqlite
    for line in "import employees.csv --entity Employee --store large.sqlite" \
        "export --entity Employee --format csv --output out --store large.sqlite" \
        "model infer employees.csv --output model.json --quiet"; do
        : >measured
        # The line must be split into words.
        # shellcheck disable=SC2086
        "${measure[@]}" "$tool" $line 2>errors || { cat errors >&2; exit 1; }
        awk -v what="${line%% -*}" -v rows="$MEMORY_ROWS" \
            '{ printf "memory %s %d rows %.1f MB (%.1f s)\n", what, rows, $2 / 1024, $1 }' measured
    done
fi

cat <<ADVICE
To profile: swift build -c release --static-swift-stdlib --product strata (without -s), then
  perf record -g --call-graph dwarf,16384 -F 499 -- strata import employees.csv --model reference --store s.sqlite
  perf report --no-children --stdio | head -60
ADVICE
