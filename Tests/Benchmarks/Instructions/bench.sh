#!/usr/bin/env bash
# Counts the instructions of imports, exports and the stack, in this tree and in another commit, and prints a line
# "ratio NAME VALUE" for each: the instructions of this tree divided by those of the other. The instructions of a run
# without records are subtracted.
#
# Usage: Tests/Benchmarks/Instructions/bench.sh BUILD-PATH [NAME...]
# NAME is a job (default: all).
# Environment: BASE, the other commit (default: the last commit, or its parent if the tree has no changes); ROWS, the
# count of records (default: 20000).
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: Tests/Benchmarks/Instructions/bench.sh BUILD-PATH [NAME...]" >&2
    exit 64
fi
rows=${ROWS:-20000}
driver=Tests/Benchmarks/Instructions
root=$(cd "$(dirname "$0")/../../.." && pwd)
mkdir -p "$1"
build=$(cd "$1" && pwd)
shift
chosen=("$@")
cd "$root"

if [ -z "${BASE:-}" ]; then
    BASE=HEAD
    if [ -z "$(git status --porcelain -- Modules Apps Package.swift "$driver")" ]; then BASE=HEAD~1; fi
fi
commit=$(git rev-parse --verify --quiet "$BASE^{commit}") ||
    { echo "bench: the repository does not contain the commit '$BASE'; choose another with BASE=…, or fetch the history" >&2; exit 1; }

# The base has a separate tree and build, which are deleted if BASE changed.
if [ "$(cat "$build/base/commit" 2>/dev/null)" != "$commit" ]; then
    rm -rf "$build/base"
    mkdir -p "$build/base/tree"
    git archive "$commit" | tar -x -C "$build/base/tree"
    # The benchmark's program uses the API of its tree. For trees older than the program, its first version is used,
    # which was written for them. Before Tests was grouped by kind, the program had another path.
    if [ ! -e "$build/base/tree/$driver/Package.swift" ]; then
        earlier=Tests/InstructionBenchmark
        if [ ! -e "$build/base/tree/$earlier/Package.swift" ]; then
            first=$(git log --diff-filter=A --format=%H -- "$earlier/Package.swift" | tail -n 1)
            git archive "$first" "$earlier" | tar -x -C "$build/base/tree"
        fi
        mkdir -p "$(dirname "$build/base/tree/$driver")"
        mv "$build/base/tree/$earlier" "$build/base/tree/$driver"
        sed -i 's|path: "../.."|path: "../../.."|' "$build/base/tree/$driver/Package.swift"
    fi
    echo "$commit" >"$build/base/commit"
fi

# Both sides are built in the same way, in paths of equal length.
build_side() {
    local side="$1" tree="$2" prefix=""
    if grep -q '"StrataPersistence"' "$tree/Package.swift"; then prefix=Strata; fi
    local flags=(-c release --static-swift-stdlib -Xlinker -s --package-path "$tree/$driver" --build-path "$build/$side/built")
    local product
    for product in instruction-benchmark strata; do
        STRATA_PREFIX="$prefix" swift build "${flags[@]}" --product "$product" >&2
    done
    STRATA_PREFIX="$prefix" swift build "${flags[@]}" --show-bin-path >"$build/$side/bin"
}
build_side base "$build/base/tree"
mkdir -p "$build/this"
build_side this "$root"

folder=$(mktemp -d "$build/run.XXXXXX")
trap 'rm -rf "$folder"' EXIT
cd "$folder"
awk -v rows="$rows" 'BEGIN {
    print "id,firstName,lastName" >"bosses.csv"
    for (n = 1; n <= 1000; n++) printf "%d,Grace,Hopper %d\n", n, n >"bosses.csv"
    print "id,firstName,lastName,salary,dateHired,boss" >"empty.csv"
    print "id,firstName,lastName,salary,dateHired,boss" >"employees.csv"
    for (n = 1; n <= rows; n++) printf "%d,Ada,%s,%d,%d-%02d-%02dT%02d:%02d:%02d.%03dZ,%s\n", n,
        n % 50 ? "Featherstonehaugh " n : "\"Sørensen, née \"\"Grün " n "\"\"\"", 30000 + n % 7919,
        1990 + n % 36, 1 + n % 12, 1 + n % 28, n % 24, n % 60, n * 7 % 60, n % 1000, n % 20 ? n % 1000 + 1 : "" >"employees.csv"
    print "id,firstName,lastName,salary,dateHired,boss" >"bad.csv"
    for (n = 1; n <= rows; n++) printf "x%d,Ada,Featherstonehaugh %d,%d,,\n", n, n, 30000 + n % 7919 >"bad.csv"
}'

# The counts of two runs of one program must differ by at most some hundred thousandths. Therefore the programs run on
# one processor, because they distribute their work over all available ones, with fixed random numbers, and with hash
# tables in a fixed order.
export SWIFT_DETERMINISTIC_HASHING=1 LC_ALL=C TZ=UTC
compiler=$(command -v clang || command -v cc) || { echo "bench: needs a C compiler (clang or cc)" >&2; exit 1; }
command -v taskset >/dev/null || { echo "bench: needs taskset (util-linux)" >&2; exit 1; }
"$compiler" -shared -fPIC -O2 -o fixed-random.so "$root/$driver/fixed-random.c"
processor=$(awk '/^Cpus_allowed_list:/ { split($2, numbers, /[,-]/); print numbers[1] }' /proc/self/status)
repeatable=(taskset -c "$processor" env LD_PRELOAD="$folder/fixed-random.so")
counted=("${repeatable[@]}" valgrind --tool=cachegrind --cache-sim=no --fair-sched=yes
    --cachegrind-out-file=profile --log-file=log)

# Each side has its own stores, whose creation is not counted.
for side in base this; do
    mkdir "$side"
    tool=$(cat "$build/$side/bin")/strata
    "${repeatable[@]}" "$tool" import bosses.csv --entity Boss --store "$side/bosses.sqlite" --model reference --quiet
    cp "$side/bosses.sqlite" "$side/full.sqlite"
    "${repeatable[@]}" "$tool" import employees.csv --entity Employee --store "$side/full.sqlite" --quiet
done

# Writes the instructions of one run to "count", and its output to "result".
count_once() {
    local name="$1" number="$2" bin dataset=employees.csv store=full
    bin=$(cat "$build/$side/bin")
    if [ "$number" = 0 ]; then dataset=empty.csv; fi
    case "$name" in
    insert | import | rejects) store=bosses ;;
    export) if [ "$number" = 0 ]; then store=bosses; fi ;;
    esac
    rm -f bench.sqlite* profile result
    cp "$side/$store.sqlite" bench.sqlite
    case "$name" in
    import) "${counted[@]}" "$bin/strata" import "$dataset" --entity Employee --store bench.sqlite --quiet ;;
    export) "${counted[@]}" "$bin/strata" export --entity Employee --store bench.sqlite --format csv ;;
    rejects)
        if [ "$number" != 0 ]; then dataset=bad.csv; fi
        "${counted[@]}" "$bin/strata" import "$dataset" --entity Employee --store bench.sqlite --quiet --rejects rejects.csv ||
            [ $? -eq 65 ]
        ;;
    *) "${counted[@]}" "$bin/instruction-benchmark" "$name" bench.sqlite "$number" ;;
    esac >result 2>errors || { cat log errors result >&2; exit 1; }
    awk '/^summary:/ { print $2 }' profile >count
}

# Writes the count of the run with the fewest instructions if several threads use the allocator: the counts of such runs
# differ by a thousandth.
count() {
    local runs=1 least="" run
    if [ "$1" = in-memory-stack ]; then runs=5; fi
    for ((run = 0; run < runs; run++)); do
        count_once "$@"
        if [ -z "$least" ] || [ "$(cat count)" -lt "$least" ]; then least=$(cat count); fi
    done
    echo "$least" >count
}

echo "$rows records; base $(git -C "$root" log -1 --format='%h %s' "$commit")"
for name in import export rejects insert fetch fetch-records lookup update in-memory in-memory-stack; do
    if [ ${#chosen[@]} -gt 0 ] && [[ " ${chosen[*]} " != *" $name "* ]]; then continue; fi
    for side in base this; do
        count "$name" 0
        mv count "$side/none"
        count "$name" "$rows"
        mv count "$side/all"
        mv result "$side/result"
    done
    if ! cmp -s base/result this/result; then
        echo "note: the output of $name differs from the base; the ratio compares different work" >&2
    fi
    awk -v name="$name" -v a="$(cat this/all)" -v b="$(cat this/none)" -v c="$(cat base/all)" -v d="$(cat base/none)" 'BEGIN {
        printf "%s: %.1f million instructions, base %.1f\n", name, (a - b) / 1e6, (c - d) / 1e6
        printf "ratio %s %.4f\n", name, (a - b) / (c - d)
        if (name == "import") print a - b >"imported"
        # Rejecting a record may cost twice as much as importing it.
        if (name == "rejects" && (getline imported <"imported") > 0) printf "share rejects of import %.2f\n", (a - b) / imported
    }'
done
