#!/usr/bin/env bash
# Eight processes increment counters on one server for some seconds, while connections are cut and the server is
# restarted twice, once as if its machine had failed. At the end, every acknowledged increment must be stored exactly
# once.
#
# Usage: Tests/Tools/PostgreSQL/with-server.sh Tests/Tools/PostgreSQL/soak.sh TOOL SECONDS
set -euo pipefail

if [ $# -ne 2 ] || [ -z "${STRATA_POSTGRESQL:-}" ]; then
    echo "usage: Tests/Tools/PostgreSQL/with-server.sh Tests/Tools/PostgreSQL/soak.sh TOOL SECONDS" >&2
    exit 64
fi
tool=$(realpath "$1")
seconds=$2
processes=8
value() { grep -oE "(^| )$1=[^ ]+" <<<"$STRATA_POSTGRESQL" | cut -d= -f2; }
store="postgresql://strata@/postgres?host=$(value host)&schema=soak"
work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT
cd "$work"
"$tool" generate --model reference --seed 1 --count Item=3 -q -o made
"$tool" import made --model reference --store "$store" -q
"$tool" update --entity Item --store "$store" --set 'stockCount = 0' --all -q

# Increments one of the three counters until the end, and records the outcome of each attempt: acknowledged, failed or
# unknown.
count() {
    local made=0 unknown=0 status
    until [ -e enough ]; do
        status=0
        "$tool" update --entity Item --store "$store" --set 'stockCount = stockCount + 1' --where "id = $(($1 % 3 + 1))" -q 2>"errors-$1" || status=$?
        if [ "$status" -eq 0 ]; then
            made=$((made + 1))
        elif grep -qF "it is not known whether the transaction was committed" "errors-$1"; then
            unknown=$((unknown + 1))
        elif [ "$status" -ne 74 ] && [ "$status" -ne 75 ]; then
            cat "errors-$1" >&2
            echo "$status" >"failed-$1"
            break
        fi
    done
    echo "$made $unknown" >"counted-$1"
}
counters=()
for number in $(seq "$processes"); do
    count "$number" &
    counters+=($!)
done
ends=$((SECONDS + seconds))
restarts=0
cuts=0
while [ "$SECONDS" -lt "$ends" ]; do
    # Cut one random active connection.
    cut=$(psql "$STRATA_POSTGRESQL" --quiet --no-align --tuples-only --command "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
        WHERE application_name = 'strata' ORDER BY random() LIMIT 1" 2>/dev/null || true)
    if [ "$cut" = t ]; then cuts=$((cuts + 1)); fi
    if [ "$restarts" -eq 0 ] && [ $((ends - SECONDS)) -le $((seconds * 2 / 3)) ]; then
        "$STRATA_POSTGRESQL_RESTART" fast
        restarts=1
    elif [ "$restarts" -eq 1 ] && [ $((ends - SECONDS)) -le $((seconds / 3)) ]; then
        "$STRATA_POSTGRESQL_RESTART" immediate
        restarts=2
    fi
done
touch enough
for counter in "${counters[@]}"; do wait "$counter"; done
if compgen -G 'failed-*' >/dev/null; then
    echo "soak: a process failed with an error other than a lost connection" >&2
    exit 1
fi
"$tool" export --all --store "$store" -q --output counts
# The counter is the last column of the file.
sum=$(awk -F, 'NR > 1 { sum += $NF } END { print sum }' counts/Item.csv)
made=$(cat counted-* | awk '{ made += $1 } END { print made }')
unknown=$(cat counted-* | awk '{ unknown += $2 } END { print unknown }')
echo "soak: $processes processes, $restarts restarts, $cuts cut connections: $made counts acknowledged, $unknown of unknown outcome, $sum stored"
[ "$restarts" -eq 2 ] && [ "$made" -gt 0 ] && [ "$sum" -ge "$made" ] && [ "$sum" -le $((made + unknown)) ] || {
    echo "soak: the stored counts do not match the acknowledged ones" >&2
    exit 1
}
