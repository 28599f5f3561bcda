#!/usr/bin/env bash
# Prints the ten expressions of the package that take the compiler longest to type-check, slowest first: milliseconds, then
# FILE:LINE:COLUMN; and the slowest one of a record type with thirty attributes, which is to stay below 200 ms. Only type-checks, against modules that a build made. How long it takes depends on the machine: fails nothing.
#
# Usage: .ci/slow-expressions.sh BIN-PATH, what 'swift build --show-bin-path' says of the build
set -euo pipefail

if [ $# -ne 1 ]; then
    echo "usage: .ci/slow-expressions.sh BIN-PATH" >&2
    exit 64
fi
modules=$(cd "$1" && pwd)/Modules
cd "$(dirname "$0")/.."

# The macros of Swift Testing stand in the toolchain.
plugins=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/host/plugins/testing

# Expressions below so many milliseconds are never among the slowest ten, nor the slowest of the wide record.
threshold=10
wide=Tests/PersistenceTests/Records/WideRecordTests.swift

found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT

# Writes what the compiler says about one module's sources into a file of its own. All files at once: file by file, each would
# read all the others.
check() {
    local module=$1 folder=$2 sources
    mapfile -t sources < <(find "$folder" -name '*.swift' | sort)
    swiftc -typecheck -whole-module-optimization -module-name "$module" -swift-version 6 -package-name strata \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
        -enable-upcoming-feature InternalImportsByDefault \
        -I "$modules" -Xcc "-fmodule-map-file=$PWD/Modules/CSQLite/module.modulemap" -plugin-path "$plugins" \
        -Xfrontend "-warn-long-expression-type-checking=$threshold" "${sources[@]}" >"$found/$module" 2>&1 ||
        echo "slow-expressions: $module was not checked to its end" >&2
}

# A target, and the folder of its sources, by the package's own description: lines of "NAME PATH".
targets() {
    swift package describe --type text 2>/dev/null | awk '
        /^    Name: / { name = $2 }
        /^    Path: / && name != "CStrataSQLite" { print name, $2 }'
}

export modules plugins threshold found
export -f check
targets | xargs -P "$(getconf _NPROCESSORS_ONLN)" -L 1 bash -c 'check "$@"' check ||
    echo "slow-expressions: not all modules were checked" >&2

# What a macro makes has no place of its own, and is met again in the expression that it stands in.
echo "the slowest expressions to type-check:"
find "$found" -type f -exec cat {} + |
    sed -nE "s|^$PWD/||; s|^([^ ]+\.swift:.*): warning: expression took ([0-9]+)ms to type-check.*|\2 ms  \1|p" |
    sort -u | sort -rn |
    awk -v wide="$wide" '
        NR <= 10 { printf "%7d %s  %s\n", $1, $2, $3 }
        index($3, wide) && !slowest { slowest = $1 " ms  " $3 }
        END { print "a record of thirty attributes: " (slowest ? slowest : "below the threshold") }'
