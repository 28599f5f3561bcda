#!/usr/bin/env bash
# Prints the count of public symbols that `import StrataPersistence` shows, by module. Fails if the sum exceeds a limit.
#
# The modules are StrataPersistence and those that it re-exports (see Modules/Persistence/Stack/Exports.swift). Members
# that the compiler synthesizes do not count.
#
# Usage: .ci/public-symbols.sh SYMBOL-GRAPHS [LIMIT]
# SYMBOL-GRAPHS is the folder into which the strict build writes the symbol graphs (see the Makefile).
set -euo pipefail
graphs=$1
limit=${2:-}
cd "$(dirname "$0")/.."

total=0
modules=$(sed -nE 's/^@_exported public import (Strata[A-Za-z]+)$/\1/p' Modules/Persistence/Stack/Exports.swift)
# The re-exported modules are in the graph of the re-exporting one too, so their symbols are subtracted there.
for module in $modules StrataPersistence; do
    if [ "$module" = StrataPostgreSQL ]; then continue; fi
    if [ ! -e "$graphs/$module.symbols.json" ]; then
        echo "public-symbols: $graphs/$module.symbols.json is missing; build first ('make strict')" >&2
        exit 1
    fi
    count=0
    for graph in "$graphs/$module".symbols.json "$graphs/$module"@*.symbols.json; do
        if [ -e "$graph" ]; then
            count=$((count + $({ grep -oE '"accessLevel":"(public|open)"' "$graph" || true; } | wc -l)))
        fi
    done
    if [ "$module" = StrataPersistence ]; then count=$((count - total)); fi
    printf '%6d  %s\n' "$count" "$module"
    total=$((total + count))
done
printf '%6d  %s\n' "$total" "import StrataPersistence"
if [ -n "$limit" ] && [ "$total" -gt "$limit" ]; then
    echo "public-symbols: at most $limit symbols are allowed" >&2
    exit 1
fi
