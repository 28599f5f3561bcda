#!/usr/bin/env bash
# Fails when a file imports or uses what its layer must not (.ci/layers.txt says which may what), when anything but Persistence's
# SQLite folder imports CStrataSQLite, when a type is called as a module, or when something that was not agreed upon stands at the
# top level.
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
    cut -d: -f1,2 | sed 's|$|: only Modules/Persistence/SQLite imports CStrataSQLite|' || true)
report_each "$found"

# Who writes MODULE.Type to tell two types apart would name the type MODULE instead.
modules=$(sed -nE 's/.*name: "(Strata[A-Za-z]*)".*/\1/p' Package.swift | sort -u | paste -sd'|' -)
found=$(grep -rnE "\b(struct|class|enum|protocol|actor|typealias) ($modules)\b" Modules Apps --include='*.swift' |
    sed 's/$/: a type must not be called as a module/' || true)
report_each "$found"

# In a checkout only what is tracked counts: output of a tool run is no finding.
top_level() {
    if [ -e .git ]; then git ls-files | cut -d/ -f1 | sort -u; else ls -A; fi
}

while IFS= read -r entry; do
    case "$entry" in
    Package.swift | Modules | Apps | Tests | Fixtures | Makefile | README.md | LICENSE | CHANGELOG.md) ;;
    .*) ;;
    *) report "$entry: not in the agreed list of the top level; it belongs inside a folder that is" ;;
    esac
done < <(top_level)

if [ "$findings" -gt 0 ]; then
    echo "layering: $findings finding(s)" >&2
    exit 1
fi
