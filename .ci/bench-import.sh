#!/usr/bin/env bash
# Imports generated employees with strata and with sqlite3's own .import into a typed table, and prints the time and
# the memory of both.
#
# Usage: .ci/bench-import.sh STRATA [ROWS], one million rows by default
set -euo pipefail

if [ $# -lt 1 ] || [ $# -gt 2 ]; then
    echo "usage: .ci/bench-import.sh STRATA [ROWS]" >&2
    exit 64
fi
tool=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
rows=${2:-1000000}
for program in sqlite3 /usr/bin/time; do
    if ! command -v "$program" >/dev/null; then
        echo "bench-import: $program is missing (apt-get install sqlite3 time)" >&2
        exit 1
    fi
done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
"$tool" generate --entity Employee --count "$rows" --seed 1 --format csv >employees.csv

# Runs a command three times on a fresh store and prints the best time and that run's memory.
measure() {
    local name=$1 best=
    shift
    for _ in 1 2 3; do
        rm -f bench.sqlite*
        /usr/bin/time -f '%e %M' -o measured "$@" >/dev/null
        best=$(printf '%s\n%s\n' "$best" "$(tail -n 1 measured)" | grep . | sort -n | head -n 1)
    done
    echo "$best" | awk -v name="$name" -v rows="$rows" '
        { printf "%-16s %7.2f s  %10.0f rows/s  %6.1f MB\n", name, $1, rows / ($1 > 0 ? $1 : 0.01), $2 / 1024 }'
    echo "$best" | awk '{ print $1 }' >"time.$name"
}

# Not STRICT: .import makes an empty text, not null, of an empty field, and a strict column refuses that.
cat >sqlite.sql <<'SQL'
CREATE TABLE Employee (id INTEGER PRIMARY KEY, firstName TEXT NOT NULL, lastName TEXT NOT NULL,
    salary INTEGER NOT NULL, dateHired TEXT NOT NULL, boss INTEGER);
.import --csv --skip 1 employees.csv Employee
SQL

echo "$rows employees, $(wc -c <employees.csv) bytes, best of three"
measure sqlite3 sqlite3 bench.sqlite '.read sqlite.sql'
measure strata "$tool" import employees.csv --entity Employee --store bench.sqlite
awk -v a="$(cat time.strata)" -v b="$(cat time.sqlite3)" 'BEGIN { printf "ratio            %7.2f\n", a / (b > 0 ? b : 0.01) }'
