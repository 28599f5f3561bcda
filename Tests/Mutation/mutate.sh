#!/usr/bin/env bash
# Puts COUNT random changes of one operator or statement into a copy of a module, all in one build, switches them on one at a time, and
# looks whether a test fails. Prints for each "FILE:LINE:COLUMN CHANGE killed|survived", and "mutants MODULE KILLED of COUNT".
#
# Only tests that come by a change are run for it, the quickest first; one that takes ten times as long as without the change, and a
# minute more, does not end, and is found. A change that no test comes by has survived.
#
# Usage: Tests/Mutation/mutate.sh BUILD-PATH MODULE SEED COUNT, MODULE being Core, SQL, SQLite, InMemory, Stack or Interchange
set -euo pipefail

usage() {
    echo "usage: Tests/Mutation/mutate.sh BUILD-PATH Core|SQL|SQLite|InMemory|Stack|Interchange SEED COUNT" >&2
    exit 64
}
[ $# -eq 4 ] || usage
module=$2 seed=$3 count=$4
case "$module" in
Core | SQL | SQLite | InMemory) folder=Modules/Persistence/$module target=Strata$module ;;
Stack) folder=Modules/Persistence/Stack target=StrataPersistence ;;
Interchange) folder=Modules/Interchange target=StrataInterchange ;;
*) usage ;;
esac
for number in "$seed" "$count"; do
    case "$number" in '' | *[!0-9]*) usage ;; esac
done
mkdir -p "$1/$module"
tools=$(cd "$1" && pwd)
work=$tools/$module
cd "$(dirname "$0")/../.."

# The parser of Swift stands in the toolchain.
host=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/host
swiftc -parse-as-library -swift-version 6 -I "$host" -L "$host" -lSwiftSyntax -lSwiftParser -lSwiftOperators \
    -Xlinker -rpath -Xlinker "$host" Tests/Mutation/Mutator.swift Tests/TestSupport/SeededGenerator.swift -o "$tools/mutator"

# A tree of its own, whose files keep their times: the next seed builds little.
tree=$work/tree
mkdir -p "$tree"
copy() {
    git ls-files -z --cached --others --exclude-standard -- "$@" | tar -c --null -T - | tar -x --overwrite -C "$tree"
    (cd "$tree" && find "$@" -name '*.swift' -not -path '*/.build/*') | while read -r file; do
        if [ ! -e "$file" ]; then rm "$tree/$file"; fi
    done
}
copy .

# What does not compile gives way to the next change that the seed draws.
touch "$work/avoided-$seed"
while true; do
    copy "$folder"
    "$tools/mutator" "$tree/$folder" "$seed" "$count" "$work/avoided-$seed" >"$work/mutants"
    cp Tests/Mutation/Switch.swift "$tree/$folder/Mutant.swift"
    if swift build --package-path "$tree" --build-path "$work/built" --target "$target" >"$work/log" 2>&1; then break; fi
    before=$(wc -l <"$work/avoided-$seed")
    grep -oE "$tree/$folder/[^ :]+:[0-9]+:[0-9]+: error" "$work/log" | sed "s|^$tree/$folder/||" | sort -u |
        while IFS=: read -r file line _; do
            # A change of several lines moves those behind it: then the last one before is meant.
            awk -F'\t' -v file="$file" -v line="$line" '
                split($2, place, ":") && place[1] == file && place[2] <= line && place[2] >= best { best = place[2]; found = $2 }
                END { if (found) print found }' "$work/mutants"
        done | sort -u >>"$work/avoided-$seed"
    if [ "$(wc -l <"$work/avoided-$seed")" -eq "$before" ]; then
        grep -m 5 "error" "$work/log" >&2 || tail -n 5 "$work/log" >&2
        echo "mutate: $module does not build, and no change is the reason" >&2
        exit 1
    fi
done
swift build --package-path "$tree" --build-path "$work/built" --build-tests >"$work/log" 2>&1 ||
    { grep -m 5 "error" "$work/log" >&2; exit 1; }
binary=$(swift build --package-path "$tree" --build-path "$work/built" --show-bin-path)/strataPackageTests.xctest

# Runs suites, given as "TARGET.SUITE" each, with nothing on the terminal.
run() {
    local filter
    filter=$(printf '|^%s/' "${@//./\\.}")
    (cd "$tree" && exec "$binary" --testing-library swift-testing --filter "${filter:1}") >/dev/null 2>&1
}

# Which changes each suite comes by, and how long it takes: "MILLISECONDS SUITE NUMBER..." a line. What fails without a change cannot find one: it is
# named, and left out.
look() {
    local suite=$1 trace began
    trace=$(mktemp)
    began=$(date +%s%N)
    if STRATA_MUTANT_TRACE=$trace run "$suite"; then
        echo "$((($(date +%s%N) - began) / 1000000)) $suite $(sort -u "$trace" | tr '\n' ' ')"
    else
        echo "mutate: $suite fails without a change and is left out" >&2
    fi
    rm -f "$trace"
}

# Says what became of one change.
try() {
    local number=$1 place=$2 change=$3 suites milliseconds result=survived
    while read -r milliseconds suites; do
        # shellcheck disable=SC2086
        if ! STRATA_MUTANT=$number timeout -k 5 "$((milliseconds * 10 / 1000 + 60))" bash -c 'run "$@"' run $suites; then
            result=killed
            break
        fi
    done < <(sort -n "$work/reach" | awk -v number="$number" '
        { for (i = 3; i <= NF; i++) if ($i == number) { time += $1; suites = suites " " $2; if (++n == 6) { print time suites; n = time = 0; suites = "" } } }
        END { if (n) print time suites }')
    printf '%s %s %s\n' "$folder/$place" "$change" "$result"
}
export tree binary work folder
export -f run look try
jobs=$(getconf _NPROCESSORS_ONLN)
(cd "$tree" && "$binary" --testing-library swift-testing --list-tests 2>/dev/null) | grep / | cut -d/ -f1 | sort -u |
    xargs -P "$jobs" -I{} bash -c 'look "$@"' look {} >"$work/reach"
tr '\t' '\n' <"$work/mutants" | xargs -P "$jobs" -d '\n' -n 3 bash -c 'try "$@"' try | tee "$work/results-$seed"
echo "mutants $module $(grep -c ' killed$' "$work/results-$seed" || true) of $(wc -l <"$work/mutants")"
