#!/usr/bin/env bash
# Prints the ten expressions of the package with the longest type-checking time, slowest first, as milliseconds and
# FILE:LINE:COLUMN. Also prints the slowest expression of a record type with thirty attributes, which should take less
# than 200 ms. The script only type-checks, against the modules of an existing build. The times depend on the machine,
# so no time is a failure.
#
# Usage: .ci/slow-expressions.sh BIN-PATH    BIN-PATH is the output of 'swift build --show-bin-path'
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: .ci/slow-expressions.sh BIN-PATH" >&2
    exit 64
fi
modules=$(cd "$1" && pwd)/Modules
cd "$(dirname "$0")/.."

# The toolchain contains the macros of Swift Testing.
plugins=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/host/plugins/testing

# The threshold in milliseconds. It is lower than the ten slowest expressions and the slowest one of the wide record.
threshold=10
wide=Tests/Unit/PersistenceTests/Records/WideRecordTests.swift

found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT

# Writes the compiler's diagnostics for one module to a separate file. All sources are checked in one run, because a run
# per file would read all other files each time.
check() {
    local module=$1 folder=$2 sources
    mapfile -t sources < <(find "$folder" -name '*.swift' | sort)
    swiftc -typecheck -whole-module-optimization -module-name "$module" -swift-version 6 -package-name strata \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
        -enable-upcoming-feature InternalImportsByDefault \
        -I "$modules" -Xcc "-fmodule-map-file=$PWD/Modules/CSQLite/module.modulemap" -plugin-path "$plugins" \
        -Xfrontend "-warn-long-expression-type-checking=$threshold" "${sources[@]}" >"$found/$module" 2>&1 ||
        echo "slow-expressions: the check of $module did not complete" >&2
}

# Prints lines of "NAME PATH", the targets and the folders of their sources, from the package description.
targets() {
    swift package describe --type text 2>/dev/null | awk '
        /^    Name: / { name = $2 }
        /^    Path: / && name != "CStrataSQLite" { print name, $2 }'
}

export modules plugins threshold found
export -f check
targets | xargs -P "$(getconf _NPROCESSORS_ONLN)" -L 1 bash -c 'check "$@"' check ||
    echo "slow-expressions: not all modules were checked" >&2

# The pattern excludes expressions in expanded macros, which have no location in a file. The compiler also reports the
# surrounding expression.
echo "the slowest expressions to type-check:"
find "$found" -type f -exec cat {} + |
    sed -nE "s|^$PWD/||; s|^([^ ]+\.swift:.*): warning: expression took ([0-9]+)ms to type-check.*|\2 ms  \1|p" |
    sort -u | sort -rn |
    awk -v wide="$wide" '
        NR <= 10 { printf "%7d %s  %s\n", $1, $2, $3 }
        index($3, wide) && !slowest { slowest = $1 " ms  " $3 }
        END { print "a record of thirty attributes: " (slowest ? slowest : "below the threshold") }'
