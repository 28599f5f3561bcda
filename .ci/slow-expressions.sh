#!/usr/bin/env bash
# Prints the ten expressions of the package that take the compiler longest to type-check, slowest first: milliseconds, then
# FILE:LINE:COLUMN. Only type-checks, against modules that a build made. How long it takes depends on the machine: fails nothing.
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
plugins=$(dirname "$(readlink -f "$(command -v swiftc)")")/../lib/swift/host/plugins/testing

# Expressions below so many milliseconds are never among the slowest ten.
threshold=40

# Prints the warnings about one module's sources, whatever else the compiler says.
check() {
    local module=$1
    shift
    swiftc -typecheck -module-name "$module" -swift-version 6 -package-name strata \
        -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility \
        -enable-upcoming-feature InternalImportsByDefault \
        -I "$modules" -Xcc "-fmodule-map-file=$PWD/Modules/CSQLite/module.modulemap" -plugin-path "$plugins" \
        -Xfrontend "-warn-long-expression-type-checking=$threshold" "$@" 2>&1 || true
}

# A target, and the folder of its sources, by the package's own description: lines of "NAME PATH".
targets() {
    swift package describe --type text 2>/dev/null | awk '
        /^    Name: / { name = $2 }
        /^    Path: / && name != "CStrataSQLite" { print name, $2 }'
}

targets | while read -r module folder; do
    mapfile -t sources < <(find "$folder" -name '*.swift' | sort)
    check "$module" "${sources[@]}"
done | sed -nE "s|^$PWD/||; s|^(.*): warning: expression took ([0-9]+)ms to type-check.*|\2 ms  \1|p" |
    sort -rnu | awk '
        BEGIN { print "the slowest expressions to type-check:" }
        NR <= 10 { print "  " $0 }
        END { if (NR == 0) print "  none takes long" }'
