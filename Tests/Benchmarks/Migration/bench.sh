#!/usr/bin/env bash
# Measures migrations of a store, as whole processes with a warm page cache, and prints
#   milliseconds add-optional V   strata migrate that adds an optional attribute; also measured with ten rows
#   ratio change-type V           a type change that rewrites every row, divided by the sqlite3 shell's equivalent SQL
#   ratio staged V                a stage in Swift that splits a name of every row, divided by the shell's UPDATE
# and the peak memory of each. The values are medians of interleaved runs.
#
# Usage: Tests/Benchmarks/Migration/bench.sh BUILD-PATH STRATA
# Environment: RUNS (default: 7); ROWS of employees (default: 1000000).
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: Tests/Benchmarks/Migration/bench.sh BUILD-PATH STRATA" >&2
    exit 64
fi
runs=${RUNS:-7}
rows=${ROWS:-1000000}
mkdir -p "$1"
build=$(cd "$1" && pwd)
tool=$(cd "$(dirname "$2")" && pwd)/$(basename "$2")
package=$(cd "$(dirname "$0")" && pwd)
for program in sqlite3 /usr/bin/time awk; do
    if ! command -v "$program" >/dev/null; then
        echo "bench-migration: $program is missing (apt-get install sqlite3 time)" >&2
        exit 1
    fi
done

swift build -c release --static-swift-stdlib --package-path "$package" --build-path "$build" >&2
bin=$(swift build -c release --static-swift-stdlib --package-path "$package" --build-path "$build" --show-bin-path)
folder=$(mktemp -d "$build/run.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# Writes the model of employees and bosses, with the type of the salary and additional fields as arguments.
model() {
    cat <<JSON
{"\$schema":"https://datapackage.org/profiles/2.0/datapackage.json","strata:version":1,"resources":[
{"name":"Boss","type":"table","path":"bosses.csv","schema":{"fields":[{"name":"id","type":"integer"},
 {"name":"firstName","type":"string","constraints":{"required":true}},{"name":"lastName","type":"string","constraints":{"required":true}}],
 "primaryKey":["id"]}},
{"name":"Employee","type":"table","path":"employees.csv","schema":{"fields":[{"name":"id","type":"integer"},
 {"name":"firstName","type":"string","constraints":{"required":true}},{"name":"lastName","type":"string","constraints":{"required":true}},
 {"name":"salary",$1},
 {"name":"dateHired","type":"datetime","strata:type":"date","constraints":{"required":true}},
 {"name":"boss","type":"integer"}$2],"primaryKey":["id"],
 "foreignKeys":[{"fields":["boss"],"reference":{"resource":"Boss","fields":["id"]}}]}}]}
JSON
}
whole='"type":"integer","constraints":{"required":true}'
model "$whole" '' >old.json
model "$whole" ',{"name":"phone","type":"string"}' >phone.json
model '"type":"number","strata:scale":2,"constraints":{"required":true}' '' >decimal.json
model "$whole" ',{"name":"initial","type":"string"}' >initial.json
"$tool" generate --model old.json --count "Boss=20,Employee=$rows" --store full.sqlite --quiet
"$tool" generate --model old.json --count "Boss=2,Employee=10" --store ten.sqlite --quiet

columns='"id" INTEGER PRIMARY KEY, "_version" INTEGER NOT NULL, "firstName" TEXT NOT NULL, "lastName" TEXT NOT NULL,
    "salary" INTEGER NOT NULL, "dateHired" REAL NOT NULL, "boss" INTEGER REFERENCES "Boss" ("id") DEFERRABLE INITIALLY DEFERRED'
# Stores the salary in hundredths, and rebuilds the store's index over the reference.
cat >change-type.sql <<SQL
PRAGMA foreign_keys = OFF;
-- The view of the entity refers to the table.
PRAGMA legacy_alter_table = ON;
BEGIN IMMEDIATE;
CREATE TABLE rebuilt ($columns) STRICT;
INSERT INTO rebuilt SELECT "id", "_version", "firstName", "lastName", "salary" * 100, "dateHired", "boss" FROM "Employee";
DROP TABLE "Employee";
ALTER TABLE rebuilt RENAME TO "Employee";
CREATE INDEX "Employee_boss" ON "Employee" ("boss");
COMMIT;
PRAGMA foreign_key_check;
SQL
cat >staged.sql <<'SQL'
BEGIN IMMEDIATE;
ALTER TABLE "Employee" ADD COLUMN "initial" TEXT;
UPDATE "Employee" SET "initial" = substr("firstName", 1, 1), "firstName" = substr("firstName", 2), "_version" = "_version" + 1;
COMMIT;
SQL

side() {
    case "$1 $2" in
    "strata add-optional") "${measure[@]}" "$tool" migrate --store bench.sqlite --model phone.json --quiet >out ;;
    "ten add-optional") "${measure[@]}" "$tool" migrate --store bench.sqlite --model phone.json --quiet >out ;;
    "strata change-type") "${measure[@]}" "$tool" migrate --store bench.sqlite --model decimal.json --quiet >out ;;
    "strata staged") "${measure[@]}" "$bin/staged-migration" bench.sqlite old.json initial.json ;;
    *) "${measure[@]}" sqlite3 bench.sqlite ".read $2.sql" >out ;;
    esac
}
prepare() {
    rm -f bench.sqlite*
    if [ "$1" = ten ]; then cp ten.sqlite bench.sqlite; else cp full.sqlite bench.sqlite; fi
    cat bench.sqlite >/dev/null
    # Write the copy to the disk now. Otherwise the sync at the end of the migration would write it.
    sync bench.sqlite
}
median() { sort -n "$1" | awk '{ v[NR] = $1 } END { print (NR % 2) ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }

compare() {
    local name=$1 other=$2 number who
    for ((number = 0; number < runs; number += 1)); do
        for who in strata "$other"; do
            prepare "$who"
            measure=(/usr/bin/time -f '%e %M' -o measured)
            side "$who" "$name"
            awk '{ print $1 * 1000 }' measured >>"$who.$name.time"
            awk '{ print $2 / 1024 }' measured >>"$who.$name.memory"
        done
    done
    for who in strata "$other"; do
        printf '%s %s: %s ms, %.1f MiB\n' "$name" "$who" "$(median "$who.$name.time")" "$(median "$who.$name.memory")"
    done
}

compare add-optional ten
printf 'milliseconds add-optional %s\n' "$(median strata.add-optional.time)"
for name in change-type staged; do
    compare "$name" shell
    printf 'ratio %s %s\n' "$name" \
        "$(awk -v a="$(median "strata.$name.time")" -v b="$(median "shell.$name.time")" 'BEGIN { printf "%.2f", a / b }')"
done
