#!/usr/bin/env bash
# Inserts COUNT random changes of one operator or statement into a copy of a module, all in one build, enables them one
# at a time, and checks whether a test fails. Prints "FILE:LINE:COLUMN CHANGE killed|survived" for each change, and
# "mutants MODULE KILLED of COUNT".
#
# Only tests that execute a change are run for it, the fastest first. A change counts as killed if a test takes ten
# times as long as without it, plus twenty seconds. A change that no test executes survives.
#
# Usage: Tests/Tools/Mutation/mutate.sh BUILD-PATH MODULES SEEDS COUNT
#   MODULES  one or more of Core, SQL, SQLite, InMemory, Stack and Interchange, separated by spaces
#   SEEDS    one or more numbers, separated by spaces; the script prints a line "seed SEED" before each seed's result
# All modules and seeds share one build, and each seed produces the same changes as in a separate run.
set -euo pipefail

usage() {
    echo "usage: Tests/Tools/Mutation/mutate.sh BUILD-PATH Core|SQL|SQLite|InMemory|Stack|Interchange... SEED... COUNT" >&2
    exit 64
}
[ $# -eq 4 ] || usage
modules=$2 seeds=$3 count=$4
folder_of() {
    case "$1" in
    Core | SQL | SQLite | InMemory | Stack) echo "Modules/Persistence/$1" ;;
    Interchange) echo "Modules/$1" ;;
    *) return 1 ;;
    esac
}
folders=()
for module in $modules; do folders+=("$(folder_of "$module")") || usage; done
[ ${#folders[@]} -gt 0 ] && [ -n "$seeds" ] || usage
for number in $seeds "$count"; do
    case "$number" in '' | *[!0-9]*) usage ;; esac
done
mkdir -p "$1"
work=$(cd "$1" && pwd)
cd "$(dirname "$0")/../../.."

# The toolchain contains the parser of Swift.
host=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/host
swiftc -parse-as-library -swift-version 6 -I "$host" -L "$host" -lSwiftSyntax -lSwiftParser -lSwiftOperators \
    -Xlinker -rpath -Xlinker "$host" Tests/Tools/Mutation/Mutator.swift Tests/Support/TestSupport/SeededGenerator.swift -o "$work/mutator"

# The copy of the tree preserves the times of files, so that the next seed builds little. The mutator writes the changed
# files.
tree=$work/tree
mkdir -p "$tree"
excluded=("${folders[@]/#/:!}")
excluded=("${excluded[@]/%//*.swift}")
git ls-files -z --cached --others --exclude-standard -- . "${excluded[@]}" |
    tar -c --null -T - --ignore-failed-read 2>"$work/log" | tar -x --overwrite -C "$tree"
(cd "$tree" && find Modules Apps Tests -name '*.swift') | while read -r file; do
    if [ ! -e "$file" ]; then rm "$tree/$file"; fi
done
for folder in "${folders[@]}"; do
    find "$folder" -type d -exec mkdir -p "$tree/{}" \;
    cp -p Tests/Tools/Mutation/Switch.swift "$tree/$folder/Mutant.swift"
done
flags=(--package-path "$tree" --build-path "$work/built" -Xswiftc -index-ignore-system-modules -Xswiftc -index-ignore-clang-modules)

# If a change does not compile, the next change of the seed replaces it. The script assumes that the cause is the last
# change before the error, or else the first change in the file.
: >"$work/avoided"
while true; do
    "$work/mutator" . "$tree" "$count" "$work/avoided" "$seeds" "${folders[@]}" >"$work/mutants"
    if swift build "${flags[@]}" >"$work/log" 2>&1; then break; fi
    before=$(wc -l <"$work/avoided")
    { grep -oE "$tree/[^ :]+:[0-9]+:[0-9]+: error" "$work/log" || true; } | sort -u |
        while IFS=: read -r file line _; do
            { head -n "$line" "$file" | grep -oE 'mutantIsOn\([0-9]+' | tail -n 1 | grep . ||
                grep -m 1 -oE 'mutantIsOn\([0-9]+' "$file" || true; } | cut -d'(' -f2
        done | sort -u >>"$work/avoided"
    if [ "$(wc -l <"$work/avoided")" -eq "$before" ]; then
        grep -m 5 "error" "$work/log" >&2 || tail -n 5 "$work/log" >&2
        echo "mutate: $modules: the build fails, but not because of a change" >&2
        exit 1
    fi
done
swift build "${flags[@]}" --build-tests >"$work/log" 2>&1 || { grep -m 5 "error" "$work/log" >&2; exit 1; }
binary=$(swift build "${flags[@]}" --show-bin-path)/strataPackageTests.xctest
# Runs suites, each written as "TARGET.SUITE", without output. Restores the default handling of signals, which nohup and
# background jobs ignore.
run() {
    local filter
    filter=$(printf '|^%s/' "${@//./\\.}")
    (cd "$tree" && exec env --default-signal=INT,HUP,QUIT "$binary" --testing-library swift-testing --filter "${filter:1}") >/dev/null 2>&1
}

# Prints a line "MILLISECONDS SUITE NUMBER..." with the duration of a suite and the changes that it executes. A suite
# that fails without a change cannot detect one: it is reported and skipped.
look() {
    local suite=$1 trace began
    trace=$(mktemp)
    # A test may run the tool as another user.
    chmod a+rw "$trace"
    began=$(date +%s%N)
    if STRATA_MUTANT_TRACE=$trace run "$suite"; then
        echo "$((($(date +%s%N) - began) / 1000000)) $suite $(sort -u "$trace" | tr '\n' ' ')"
    else
        echo "mutate: $suite fails without a change and is skipped" >&2
    fi
    rm -f "$trace"
}

# Prints the result of one change. The tests of the changed module run first, several seconds of them per process.
try() {
    local number=$1 place=$2 change=$3 suites milliseconds own='(Store|Context|Persistence)Tests' result=survived
    case "$place" in Modules/Interchange/*) own=InterchangeTests ;; esac
    while read -r milliseconds suites; do
        # shellcheck disable=SC2086
        if ! STRATA_MUTANT=$number timeout -k 5 "$((milliseconds * 10 / 1000 + 20))" bash -c 'run "$@"' run $suites 2>/dev/null; then
            result=killed
            break
        fi
    done < <(awk -v own="^$own" -v number=" $number " '
        index($0 " ", number) { print ($2 ~ own ? 0 : 1), $1, $2 }' "$work/reach" | sort -n -k 1,1 -k 2,2 | awk '
        { time += $2; suites = suites " " $3; if (time > 3000) { print time suites; time = 0; suites = "" } }
        END { if (time) print time suites }')
    printf "%s\t%s %s %s\n" "$number" "$place" "$change" "$result"
}
export tree binary work
export -f run look try
jobs=$(getconf _NPROCESSORS_ONLN)
(cd "$tree" && "$binary" --testing-library swift-testing --list-tests 2>/dev/null) | grep / | cut -d/ -f1 | sort -u |
    xargs -P "$jobs" -I{} bash -c 'look "$@"' look {} >"$work/reach"
cut -f2- "$work/mutants" | awk '!seen[$0]++' | tr '\t' '\n' |
    xargs -P "$jobs" -d '\n' -n 3 bash -c 'try "$@"' try | tee "$work/results" | sed -u 's/^[^\t]*\t//'
for seed in $seeds; do
    if [ "$seed" != "$seeds" ]; then echo "seed $seed"; fi
    for module in $modules; do
        awk -F'\t' -v seed="$seed" -v folder="$(folder_of "$module")/" -v module="$module" '
            FNR == NR { killed[$1] = / killed$/; next }
            $1 == seed && index($3, folder) == 1 { all++; kills += killed[$2] }
            END { print "mutants", module, kills + 0, "of", all + 0 }' "$work/results" "$work/mutants"
    done
done
