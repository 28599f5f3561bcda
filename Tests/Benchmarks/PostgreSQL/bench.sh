#!/usr/bin/env bash
# Compares the store on a server with the server's own programs, in interleaved pairs on one server. Prints for each
# comparison both medians with their range, the peak memory of the client, and a line "ratio NAME VALUE": the median
# time of Strata divided by that of the peer.
#   pg-import, pg-export    strata import and strata export of all employees; the peer is \copy of the same file, with
#                           the same constraints
#   pg-lookup               a lookup of one record by its identifier; the peer is pgbench with a prepared SELECT
#   pg-update               a change of an object of the context; the peer is pgbench with BEGIN, UPDATE and COMMIT
#   pg-transaction          a lookup and change of an object; the peer is pgbench with BEGIN, SELECT, UPDATE and COMMIT
# The last three use CLIENTS connections, each on a separate thread.
#
# Usage: Tests/Tools/PostgreSQL/with-server.sh Tests/Benchmarks/PostgreSQL/bench.sh BUILD-PATH STRATA [NAME...]
# NAME is a comparison (default: all).
# Environment: RUNS, the count of pairs (default: 5); ROWS of employees (default: 1000000); CLIENTS (default: 8);
# SECONDS_EACH, the duration of each run of clients (default: 4).
set -euo pipefail

if [ $# -lt 2 ] || [ -z "${STRATA_POSTGRESQL:-}" ]; then
    echo "usage: Tests/Tools/PostgreSQL/with-server.sh Tests/Benchmarks/PostgreSQL/bench.sh BUILD-PATH STRATA [NAME...]" >&2
    exit 64
fi
runs=${RUNS:-5}
rows=${ROWS:-1000000}
clients=${CLIENTS:-8}
seconds=${SECONDS_EACH:-4}
mkdir -p "$1"
build=$(cd "$1" && pwd)
tool=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
package=$(cd "$(dirname "$0")" && pwd)
shift 2
chosen=("$@")
# Debian does not add pgbench to PATH.
bin=$({ find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null || true; } | sort -V | tail -n 1)
PATH=${bin:+$bin:}$PATH
for program in psql pgbench /usr/bin/time awk; do
    if ! command -v "$program" >/dev/null; then
        echo "bench-postgres: $program is missing (apt-get install postgresql time)" >&2
        exit 1
    fi
done

swift build -c release --static-swift-stdlib --package-path "$package" --build-path "$build" >&2
clients_program=$(swift build -c release --static-swift-stdlib --package-path "$package" --build-path "$build" --show-bin-path)/server-clients
folder=$(mktemp -d "$build/run.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"

host=${STRATA_POSTGRESQL#host=}
host=${host%% *}
store="postgresql://strata@/postgres?host=$host&schema=store"
sql() { psql -X --quiet --set ON_ERROR_STOP=1 "$STRATA_POSTGRESQL" "$@"; }
"$tool" generate --model reference --count "Boss=1000,Employee=$rows" --output made --quiet
bosses=$(find "$folder/made" -iname 'boss*.csv')
employees=$(find "$folder/made" -iname 'employee*.csv')
"$tool" import "$bosses" --model reference --entity Boss --store "$store" --quiet
# The peer has the same tables with the same constraints and indexes. Its dates have the server's type, whereas the
# store has seconds. The version is not in the file and has the default 1.
sql <<'SQL'
CREATE SCHEMA peer;
CREATE TABLE peer."Boss" (LIKE store."Boss" INCLUDING ALL);
INSERT INTO peer."Boss" SELECT * FROM store."Boss";
CREATE TABLE peer."Employee" (LIKE store."Employee" INCLUDING ALL);
ALTER TABLE peer."Employee" ALTER "_version" SET DEFAULT 1, ALTER "dateHired" TYPE timestamptz USING NULL,
    ADD FOREIGN KEY ("boss") REFERENCES peer."Boss" ("id") DEFERRABLE INITIALLY DEFERRED;
SQL
columns=$(head -n 1 "$employees" | sed 's/[^,]*/"&"/g')

# The scripts of pgbench, which use the store's own rows. Both sides increment the version.
row='"id", "_version", "firstName", "lastName", "salary", "dateHired", "boss"'
id="\\set id random(1, $rows)"
select="SELECT $row FROM store.\"Employee\" WHERE \"id\" = :id;"
update='UPDATE store."Employee" SET "salary" = "salary" + 1, "_version" = "_version" + 1 WHERE "id" = :id;'
printf '%s\n' "$id" "$select" >pg-lookup.sql
printf '%s\n' "$id" 'BEGIN;' "$update" 'COMMIT;' >pg-update.sql
printf '%s\n' "$id" 'BEGIN;' "$select" "$update" 'COMMIT;' >pg-transaction.sql

measure=(/usr/bin/time -f '%M' -o memory)
# Resets the table, and writes dirty pages, so that a run does not include the writes of an earlier one.
prepare() {
    case "$2" in
    pg-import) if [ "$1" = strata ]; then sql -c 'TRUNCATE store."Employee"'; else sql -c 'TRUNCATE peer."Employee"'; fi ;;
    esac
    sql -c 'CHECKPOINT'
}
# Prints the time in seconds, or for clients the average time per operation of one client.
side() {
    local begun=$EPOCHREALTIME per_second
    case "$1 $2" in
    "strata pg-import") "${measure[@]}" "$tool" import "$employees" --entity Employee --store "$store" --quiet ;;
    "peer pg-import") "${measure[@]}" psql -X -q "$STRATA_POSTGRESQL" -c "\\copy peer.\"Employee\" ($columns) FROM '$employees' CSV HEADER" ;;
    "strata pg-export") "${measure[@]}" "$tool" export --entity Employee --store "$store" --format csv --output out.strata --quiet ;;
    "peer pg-export") "${measure[@]}" psql -X -q "$STRATA_POSTGRESQL" \
        -c "\\copy (SELECT $columns FROM peer.\"Employee\" ORDER BY \"id\") TO 'out.peer' CSV HEADER" ;;
    "strata "*) per_second=$("${measure[@]}" "$clients_program" "${2#pg-}" "$STRATA_POSTGRESQL" store "$rows" "$clients" "$seconds") ;;
    "peer "*) per_second=$("${measure[@]}" pgbench --no-vacuum --protocol prepared --client "$clients" --jobs "$clients" \
        --time "$seconds" --file "$2.sql" "$STRATA_POSTGRESQL" 2>pgbench.log | awk '/^tps/ { print $3 }') ;;
    esac
    if [ -n "${per_second:-}" ]; then
        awk -v clients="$clients" -v rate="$per_second" 'BEGIN { printf "%.9f\n", clients / rate }'
    else
        awk -v begun="${begun/,/.}" -v ended="${EPOCHREALTIME/,/.}" 'BEGIN { printf "%.6f\n", ended - begun }'
    fi
}
run_side() {
    prepare "$1" "$2"
    local time
    time=$(side "$1" "$2")
    echo "$time $(tail -n 1 memory)" >>"$1.$2"
}
summarize() {
    sort -n "$1.$2" | awk -v name="$1" '
        { time[NR] = $1; if ($2 > memory) memory = $2 }
        END {
            median = NR % 2 ? time[(NR + 1) / 2] : (time[NR / 2] + time[NR / 2 + 1]) / 2
            scale = median < 0.1 ? 1000 : 1
            printf "%-8s %7.3f %s (%.3f to %.3f) %7.1f MB\n", name, median * scale, scale == 1 ? "s" : "ms", time[1] * scale,
                time[NR] * scale, memory / 1024
            print median > "median." name
        }'
}

echo "$rows employees, $(wc -c <"$employees") bytes, $runs pairs, $clients clients; load $(cut -d' ' -f1-3 /proc/loadavg) on $(nproc) cores"
# Import once on both sides, because the other comparisons need the rows even if pg-import is not selected.
run_side strata pg-import
run_side peer pg-import
rm strata.pg-import peer.pg-import
sql -c 'ANALYZE'
for name in pg-import pg-export pg-lookup pg-update pg-transaction; do
    if [ ${#chosen[@]} -gt 0 ] && [[ " ${chosen[*]} " != *" $name "* ]]; then continue; fi
    for ((run = 0; run < runs; run++)); do
        # The order changes with every pair, so that neither side always benefits from the caches of the other.
        if ((run % 2)); then run_side peer "$name" && run_side strata "$name"
        else run_side strata "$name" && run_side peer "$name"; fi
    done
    echo "$name"
    summarize strata "$name"
    summarize peer "$name"
    awk -v name="$name" -v a="$(cat median.strata)" -v b="$(cat median.peer)" 'BEGIN { printf "ratio %s %.3f\n", name, a / b }'
done
[ "$(wc -l <out.strata 2>/dev/null || echo 0)" = "$(wc -l <out.peer 2>/dev/null || echo 0)" ] || {
    echo "bench-postgres: the exports have different counts of lines" >&2
    exit 1
}
