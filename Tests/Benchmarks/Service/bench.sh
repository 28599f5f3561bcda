#!/usr/bin/env bash
# Compares five routes of the example service with the same routes over GRDB, with 16 connections of wrk. Prints requests
# per second and the 99th percentile of the latency.
#
# Usage: Tests/Benchmarks/Service/bench.sh STRATA-SERVICE GRDB-SERVICE    DURATION=5 seconds and RUNS=3 by default
set -euo pipefail

if [ $# -ne 2 ]; then
    echo "usage: Tests/Benchmarks/Service/bench.sh STRATA-SERVICE GRDB-SERVICE" >&2
    exit 64
fi
folder=$(mktemp -d)
processes=()
stop() {
    kill "${processes[@]}" 2>/dev/null || true
    rm -rf -- "$folder"
}
trap stop EXIT
strata=18201 grdb=18202

"$1" --store "$folder/strata.sqlite" --port $strata --log-level warning >"$folder/strata.out" &
processes+=($!)
"$2" "$folder/grdb.sqlite" $grdb &
processes+=($!)
until curl --silent --fail --output /dev/null localhost:$strata/ready; do sleep 0.1; done
until curl --silent --fail --output /dev/null localhost:$grdb/colors/5000; do sleep 0.1; done

# Prints rows, in which % is the number, ~ the number with four digits, and @ the identifier of a boss.
rows() {
    awk -v count="$1" -v row="$2" 'BEGIN {
        for (i = 1; i <= count; i++) {
            text = row; gsub("%", i, text); gsub("~", sprintf("%04d", i), text); gsub("@", i % 20 + 1, text)
            print text
        }
    }'
}
import() { curl --silent --fail --output /dev/null --data-binary @- "localhost:$strata/$1/import"; }
rows 5000 '{"hex":"#123456","name":"color %","dateCreated":"2026-01-01T00:00:00.~Z"}' | import colors
rows 20 '{"id":%,"firstName":"a","lastName":"b"}' | import bosses
rows 1000 '{"firstName":"a","lastName":"b","salary":%0,"boss":@}' | import employees

cat >"$folder/get.lua" <<'LUA'
local number = 0
request = function()
    number = number % 5000 + 1
    return wrk.format("GET", "/colors/" .. number)
end
LUA
cat >"$folder/post.lua" <<'LUA'
wrk.method, wrk.body = "POST", '{"hex":"#123456","name":"a new color"}'
wrk.headers["Content-Type"] = "application/json"
LUA
cat >"$folder/patch.lua" <<'LUA'
local number = 0
request = function()
    number = number + 1
    local body = string.format('{"name":"color %d"}', number)
    return wrk.format("PATCH", "/colors/" .. (number % 5000 + 1), { ["If-Match"] = "*" }, body)
end
LUA

# Prints the requests per second, the 99th percentile in milliseconds, and the count of failed responses.
measure() {
    wrk --threads 1 --connections 16 --duration "${DURATION:-5}s" --latency "$@" | awk '
        /99%/ { p99 = $2; if (p99 ~ /us$/) p99 = p99 / 1000; else if (p99 ~ /ms$/) p99 += 0; else p99 *= 1000 }
        /Requests\/sec/ { rate = $2 } /Non-2xx/ { failed = $NF }
        END { printf "%.0f %.1f %d\n", rate, p99, failed }'
}

compare() {
    local name=$1 path=$2 script=${3:-} run port
    for run in $(seq "${RUNS:-3}"); do
        for port in $strata $grdb; do
            printf '%s\t%s\t%s\n' "$name" "$([ "$port" = $strata ] && echo Strata || echo GRDB)" \
                "$(measure ${script:+--script "$folder/$script"} "http://127.0.0.1:$port$path")"
        done
    done
}
{
    compare "GET /colors/{id}" / get.lua
    compare "GET /colors?limit=50" "/colors?limit=50&sort=-dateCreated"
    compare "GET /employees/groups" "/employees/groups?by=boss&aggregates=count,avg(salary)"
    compare "PATCH /colors/{id}" / patch.lua
    compare "POST /colors" /colors post.lua
} | tee "$folder/runs" >&2

# The medians of the runs.
sort --field-separator=$'\t' --key=1,1 --key=2,2 --key=3,3n "$folder/runs" | awk -F '\t' '
    { split($3, v, " "); key = $1 "\t" $2; n[key]++; rate[key, n[key]] = v[1]; p99[key, n[key]] = v[2]; names[$1] = 1; failed += v[3] }
    END {
        print "route | Strata req/s | GRDB req/s | ratio | Strata p99 ms | GRDB p99 ms"
        for (name in names) {
            s = name "\tStrata"; g = name "\tGRDB"; m = int((n[s] + 1) / 2)
            printf "%s | %d | %d | %.2f | %.1f | %.1f\n", name, rate[s, m], rate[g, m], rate[g, m] / rate[s, m], p99[s, m], p99[g, m]
        }
        if (failed) print failed " responses failed"
    }'
