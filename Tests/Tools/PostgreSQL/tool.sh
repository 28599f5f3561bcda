#!/usr/bin/env bash
# Tests the tool on a server: rows, exports, counts and errors are equal to those of the SQLite store, and stores can be
# copied there and back.
#
# Usage: Tests/Tools/PostgreSQL/with-server.sh Tests/Tools/PostgreSQL/tool.sh TOOL
set -euo pipefail

tool=$1
if [ -z "${STRATA_POSTGRESQL:-}" ]; then
    echo "tool.sh: STRATA_POSTGRESQL is not set; run the script with with-server.sh" >&2
    exit 64
fi
value() { grep -oE "(^| )$1=[^ ]+" <<<"$STRATA_POSTGRESQL" | cut -d= -f2; }
host=$(value host)
port=$(value port || echo 5432)
server() { echo "postgresql://strata@/postgres?host=$host&port=$port&schema=$1"; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

checked=0
fail() {
    echo "tool.sh: $1" >&2
    exit 1
}
same() {
    diff -r "$1" "$2" >differences || fail "$1 and $2 differ: $(head -n 3 differences)"
    checked=$((checked + 1))
}
# Fails unless the tool exits with a status and writes a text to standard error.
refused() {
    local status=$1 text=$2 found=0
    shift 2
    "$tool" "$@" >output 2>errors || found=$?
    [ "$found" -eq "$status" ] || fail "$* exited with $found, not $status: $(cat errors)"
    grep -qF -- "$text" errors || fail "$* did not print \"$text\": $(cat errors)"
    checked=$((checked + 1))
}

# The same hostile dataset, imported into both stores, is exported as equal bytes.
"$tool" generate --model reference --seed 7 --count Employee=300,Boss=40,Color=60,Item=200 --hostile -q -o made
"$tool" import made --model reference --store file.sqlite -q
"$tool" import made --model reference --store "$(server hostile)" -q
"$tool" export --all --store file.sqlite -q --output of-file
"$tool" export --all --store "$(server hostile)" -q --output of-server
same of-file of-server

# A store is copied to the server and back; an existing store is replaced only on request.
"$tool" copy --store file.sqlite --to "$(server copied)" -q
refused 73 "--replace" copy --store file.sqlite --to "$(server copied)"
"$tool" copy --store file.sqlite --to "$(server copied)" -q --replace
"$tool" copy --store "$(server copied)" --to back.sqlite -q
"$tool" export --all --store back.sqlite -q --output of-copy
same of-file of-copy
refused 64 "the same store" copy --store "$(server copied)" --to "$(server copied)"

# Updates and deletions change the same rows in both stores.
for store in back.sqlite "$(server copied)"; do
    "$tool" update --store "$store" --entity employee --set "lastName='x'" --where "firstName < 'm'" -q
    "$tool" delete --store "$store" --entity item --where "id < 50" -q
    rm -rf changed
    "$tool" export --all --store "$store" -q --output changed
    if [ -d changed-file ]; then same changed-file changed; else mv changed changed-file; fi
done

# Data without a given model, and errors in it.
printf 'name,zip\nAda,00501\nBob,17\n' >people.csv
"$tool" import people.csv --store "$(server own)" -q
"$tool" export --store "$(server own)" --entity people >exported.csv
same people.csv exported.csv
printf 'name,zip\nEve,1,2\n' >wrong.csv
refused 65 "wrong.csv:2" import wrong.csv --store "$(server own)" --entity people
"$tool" export --store "$(server own)" --entity people >exported.csv
same people.csv exported.csv

# Columns that the store's model lacks are added to it, and a store is migrated to another model.
printf 'name,zip,age\nEve,3,44\n' >people.csv
"$tool" import people.csv --store "$(server own)" --infer 2>output
grep -qF "People.age: integer64" output || fail "--infer did not report the added column: $(cat output)"
"$tool" model show --format json "$(server own)" | sed 's/"age"/"years"/' >later.json
refused 1 "Allow it by name: People.age (1 value)" migrate --store "$(server own)" --model later.json --dry-run
refused 64 "--backup can be used only for stores in files" migrate --store "$(server own)" --model later.json --drop-all --backup b.sqlite
"$tool" migrate --store "$(server own)" --model later.json --drop People.age -q
printf 'name,zip,years\nAda,00501,\nBob,17,\nEve,3,\n' >people.csv
"$tool" export --store "$(server own)" --entity people >exported.csv
same people.csv exported.csv

# A query by SQL has the same names and results as in a SQLite store.
query="SELECT name, min(\"dateCreated\") AS d, decimal_sum(\"unitPrice\") AS s, decimal_avg(\"unitCost\") AS a FROM item WHERE length(\"unitPrice\") < :n AND length(\"unitCost\") < :n GROUP BY name ORDER BY 3, 1 LIMIT 20"
"$tool" query --store file.sqlite --sql "$query" --param n=9 --format csv >of-file.csv
"$tool" query --store "$(server hostile)" --sql "$query" --param n=9 --format csv >of-server.csv
same of-file.csv of-server.csv
refused 64 "option --sql: " query --store "$(server own)" --sql 'DELETE FROM people'

# The check finds damage by another program, and repairs errors with an unambiguous fix.
[ "$("$tool" check --store "$(server own)")" = ok ] || fail "an undamaged store has errors"
psql -qd "$STRATA_POSTGRESQL" -c 'UPDATE own.strata_sequence SET next = 1'
found=0
"$tool" check --store "$(server own)" >output || found=$?
[ "$found" -eq 65 ] || fail "the check of a damaged store exited with $found, not 65"
grep -qF "is already in use" output || fail "check did not report the error: $(cat output)"
"$tool" check --store "$(server own)" --repair >output
grep -qF "set the next identifier of People to 4" output || fail "check did not report the repair: $(cat output)"
refused 66 "there is no store" check --store "$(server nowhere)"

# A dry run and a failed run create no store.
"$tool" import made --model reference --store "$(server dry)" --dry-run -q
refused 66 "there is no store" info --store "$(server dry)"

# No message contains a password, whatever the password is and wherever the connection string occurs.
silent() {
    refused "$@"
    if grep -qi hush output errors; then fail "a message contains a password: $(cat output errors)"; fi
}
silent 74 "missing-database" info --store "postgresql://strata:hush-hush@/missing-database?host=$host&port=$port"
silent 74 "PGPASSWORD" info --store "postgresql://strata:hush-hush@/missing-database?host=$host&port=$port"
silent 64 "%21" info --store "postgresql://strata:p@hush@localhost/postgres"
silent 64 "%21" info --store "postgresql://strata:12/hush@/postgres?host=$host&port=$port"
silent 64 "%21" copy --store file.sqlite --to "postgresql://strata:hush 50%off@/postgres?host=$host&port=$port"
silent 64 "unexpected argument" info "postgresql://strata:hush@/postgres?host=$host&port=$port"
silent 66 "there is no store" model show "postgresql://strata:hush@/postgres?host=$host&port=$port&schema=missing"
silent 66 "there is no store" info --store "POSTGRESQL://strata:hush@/postgres?host=$host&port=$port&schema=missing"
silent 64 "postgresql://HOST" info --store "postgresql:/strata:hush@host/postgres"

# The tool distinguishes an invalid store from a missing one.
refused 64 "choose another name" info --store "$(server '%24user')"
refused 64 "choose another name" info --store "$(server pg_temp)"
refused 64 "bytes" info --store "$(server "$(printf 'x%.0s' {1..64})")"
refused 64 "exactly one schema must be named" info --store "$(server '%zz')"

# A store in use is not replaced, and the import that created it continues.
mkfifo first
"$tool" import - --format csv --model reference --entity boss --store "$(server shared)" -q <first 2>errors-first &
made=$!
exec 3>first
echo "id,firstName,lastName" >&3
until "$tool" info --store "$(server shared)" >/dev/null 2>&1; do :; done
refused 75 "has the store open" copy --store file.sqlite --to "$(server shared)" --replace
exec 3>&-
wait "$made" || fail "the import behind a pipe failed: $(cat errors-first)"
checked=$((checked + 1))

echo "tool.sh: $checked checks passed"
