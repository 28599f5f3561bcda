#!/usr/bin/env bash
# Runs the benchmarks and writes a page with their results: machine, versions, command, ratios, memory.
#
# Usage: Tests/Benchmarks/report.sh OUTPUT [TARGET...]
# TARGET is a benchmark of the Makefile (default: bench bench-stack bench-fixtures bench-migration bench-postgres).
# The environment variables of the benchmarks, such as ROWS and RUNS, apply; the page contains those that are set.
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: Tests/Benchmarks/report.sh OUTPUT [TARGET...]" >&2
    exit 64
fi
output=$1
shift
targets=("$@")
if [ $# -eq 0 ]; then targets=(bench bench-stack bench-fixtures bench-migration bench-postgres); fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Prints the first line of a program's version, or that the program is missing.
version() { { "$@" 2>/dev/null || echo "not installed"; } | head -n 1; }

peer() {
    case "$1" in
    bench) echo "sqlite3 $(version sqlite3 --version | cut -d' ' -f1), with \`.import\` and a query" ;;
    bench-stack) echo "GRDB $(sed -nE 's/.*GRDB.*from: "([^"]*)".*/\1 or later; the output names other peers/p' Tests/Benchmarks/Stack/Package.swift)" ;;
    bench-fixtures) echo "a C program that writes the same bytes; Faker and mimesis if they are installed" ;;
    bench-migration) echo "the sqlite3 shell, $(version sqlite3 --version | cut -d' ' -f1), with equivalent statements" ;;
    bench-postgres) echo "psql's \`\\copy\` and pgbench, $(version psql --version)" ;;
    *) echo "the commit that the output names" ;;
    esac
}

settings=$(env | grep -E '^(ROWS|RUNS|CLIENTS|SECONDS_EACH|PEER_ROWS|MEMORY_ROWS|COMPARISONS)=' | sort | paste -sd' ' - || true)
{
    echo "# Benchmarks"
    echo
    echo "Times and memory of Strata relative to other programs, measured in one run on one machine."
    echo
    echo "## Overview"
    echo
    echo "\`make bench-report\` writes this page. A ratio is the median time of Strata divided by the median time of the peer,"
    echo "in interleaved runs: below 1, Strata is faster. Times of different runs are not comparable."
    echo
    echo "| | |"
    echo "|---|---|"
    echo "| processor | $(nproc) × $(sed -nE 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1) |"
    echo "| memory | $(awk '/^MemTotal/ { printf "%.0f GiB", $2 / 1048576 }' /proc/meminfo) |"
    echo "| system | $(. /etc/os-release && echo "$PRETTY_NAME"), Linux $(uname -r | cut -d- -f1) |"
    echo "| compiler | $(version swift --version | sed 's/ (.*//') |"
    echo "| commit | $(git rev-parse --short HEAD) |"
    echo "| allocator | glibc $(version ldd --version | awk '{ print $NF }'), default settings; \`bench-stack\` sets \`M_MMAP_MAX\` to 0 and \`M_TRIM_THRESHOLD\` to its maximum in both programs |"
    echo "| settings | ${settings:-the defaults of each benchmark} |"
} >"$work/page"

for target in "${targets[@]}"; do
    if ! make --no-print-directory "$target" >"$work/log" 2>&1; then
        tail -n 20 "$work/log" >&2
        echo "bench-report: make $target failed" >&2
        exit 1
    fi
    {
        echo
        echo "## make $target"
        echo
        echo "Compared with $(peer "$target")."
        echo
        echo "| comparison | ratio |"
        echo "|---|---|"
        sed -nE 's/^(.*[[:space:]])?ratio ([^ ]+) +([0-9.]+).*/| \2 | \3 |/p' "$work/log"
        echo
        echo '```'
        grep -E ' (s|ms|MB|MiB|KiB|rows/s|bytes)\b|^(memory|milliseconds|microseconds) |^[a-z][a-z-]*$' "$work/log" |
            grep -vE '^ratio |^\[|Compiling|Build|perf record' || true
        echo '```'
    } >>"$work/page"
done
mv "$work/page" "$output"
echo "wrote $output"
