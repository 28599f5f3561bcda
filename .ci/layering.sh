#!/usr/bin/env bash
# Fails if a file imports or uses what .ci/layers.txt forbids for its layer, if anything except
# Modules/Persistence/SQLite imports CStrataSQLite, if a type has the name of a module, or if the top level contains an
# entry that is not allowed.
#
# Usage: .ci/layering.sh [PACKAGE]
set -euo pipefail
tools=$(cd "$(dirname "$0")" && pwd)
cd "${1:-$tools/..}"

findings=0
report() {
    echo "$1" >&2
    findings=$((findings + 1))
}
report_each() {
    local line
    while IFS= read -r line; do [ -z "$line" ] || report "$line"; done <<<"$1"
}

found=$(find Modules Apps -type f -name '*.swift' | LC_ALL=C sort | LC_ALL=C awk -f "$tools/layering.awk" .ci/layers.txt -)
report_each "$found"

found=$(grep -rnE '^[^/"]*\bimport[[:space:]]+([a-z]+[[:space:]]+)?CStrataSQLite\b' Tests --include='*.swift' --exclude-dir=.build |
    cut -d: -f1,2 | sed 's|$|: only Modules/Persistence/SQLite may import CStrataSQLite|' || true)
report_each "$found"

# If a type had the name of a module, MODULE.Type would refer to a member of that type, and could not qualify an
# ambiguous name.
modules=$(sed -nE 's/.*name: "(Strata[A-Za-z]*)".*/\1/p' Package.swift | sort -u | paste -sd'|' -)
found=$(grep -rnE "\b(struct|class|enum|protocol|actor|typealias) ($modules)\b" Modules Apps --include='*.swift' |
    sed 's/$/: a type must not have the name of a module/' || true)
report_each "$found"

# In a checkout only tracked files count, so that output files of the tool are not reported.
top_level() {
    if [ -e .git ]; then git ls-files | cut -d/ -f1 | sort -u; else ls -A; fi
}

while IFS= read -r entry; do
    case "$entry" in
    Package.swift | Modules | Apps | Tests | Fixtures | Makefile | README.md | LICENSE | CHANGELOG.md) ;;
    .*) ;;
    *) report "$entry: not in the list of allowed top-level entries; move it into one of their folders" ;;
    esac
done < <(top_level)

if [ "$findings" -gt 0 ]; then
    echo "layering: $findings finding(s)" >&2
    exit 1
fi
