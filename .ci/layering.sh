#!/usr/bin/env bash
# Fails when a module imports what its layer must not, when anything but Persistence's SQLite folder imports CStrataSQLite,
# when a type is called as a module, or when something that was not agreed upon stands at the top level.
#
# Usage: .ci/layering.sh [PACKAGE]
set -euo pipefail
cd "${1:-$(dirname "$0")/..}"

# A folder, and everything that its files may import. SwiftPM refuses most of this by itself
# (--explicit-target-dependency-import-check); the table also bounds the system's modules.
allowed_imports() {
    case "$1" in
    Modules/Domain) echo "Foundation" ;;
    Modules/Persistence/Core) echo "Foundation Dispatch Synchronization Glibc Musl Darwin" ;;
    Modules/Persistence/InMemory) echo "Foundation StrataCore" ;;
    Modules/Persistence/Stack)
        echo "Foundation Dispatch Synchronization Glibc Musl Darwin StrataCore StrataInMemory StrataSQLite"
        ;;
    Modules/Persistence/SQLite) echo "Foundation Dispatch Synchronization Glibc Musl Darwin StrataCore CStrataSQLite" ;;
    Modules/Repositories) echo "Foundation Synchronization StrataDomain StrataPersistence" ;;
    Modules/Interchange) echo "Foundation Dispatch Synchronization Glibc Musl Darwin StrataPersistence" ;;
    Modules/Reports) echo "Foundation StrataPersistence" ;;
    Modules/FixtureGeneration) echo "Foundation StrataDomain" ;;
    Modules/FixtureDatasets) echo "Foundation StrataPersistence StrataInterchange StrataFixtures" ;;
    Modules/PersistenceTesting) echo "Foundation Dispatch Synchronization Glibc Musl Darwin StrataPersistence" ;;
    Apps/strata)
        echo "Foundation Dispatch Synchronization Glibc Musl Darwin" \
            "StrataPersistence StrataRepositories StrataInterchange StrataFixtures StrataFixtureDatasets StrataReports"
        ;;
    *) return 1 ;;
    esac
}

findings=0
report() {
    echo "$1" >&2
    findings=$((findings + 1))
}

# Prints "line module" for every import of a file: with attributes, an access level or a kind before the name.
imports_of() {
    sed -nE 's/^[[:space:]]*//
        /^(@[A-Za-z_]+(\([^)]*\))?[[:space:]]+)*((public|package|internal|fileprivate|private)[[:space:]]+)?import[[:space:]]/{
            s/^.*import[[:space:]]+((struct|class|enum|protocol|func|var|let|typealias)[[:space:]]+)?([A-Za-z0-9_]+).*/\3/
            =
            p
        }' "$1" | paste -d' ' - -
}

check_file() {
    local folder="$1" file="$2" allowed line module
    allowed=$(allowed_imports "$folder")
    while read -r line module; do
        case " $allowed " in
        *" $module "*) ;;
        *) report "$file:$line: $folder must not import $module (it may import: $allowed)" ;;
        esac
    done < <(imports_of "$file")
}

while IFS= read -r file; do
    folder=$(echo "$file" | cut -d/ -f1-2)
    case "$file" in
    Modules/CSQLite/*) continue ;;
    Modules/Persistence/*/*) folder=$(echo "$file" | cut -d/ -f1-3) ;;
    esac
    if ! allowed_imports "$folder" >/dev/null; then
        report "$file: $folder is not in the table of layers in .ci/layering.sh"
        continue
    fi
    check_file "$folder" "$file"
done < <(find Modules Apps -type f -name '*.swift' | sort)

while IFS= read -r file; do
    while read -r line module; do
        if [ "$module" = CStrataSQLite ]; then
            report "$file:$line: only Modules/Persistence/SQLite imports CStrataSQLite"
        fi
    done < <(imports_of "$file")
done < <(find Tests -type f -name '*.swift' -not -path '*/.build/*' | sort)

# Who writes MODULE.Type to tell two types apart would name the type MODULE instead.
modules=$(sed -nE 's/.*name: "(Strata[A-Za-z]*)".*/\1/p' Package.swift | sort -u | paste -sd'|')
while IFS= read -r line; do
    report "$line: a type must not be called as a module"
done < <(grep -rnE "\b(struct|class|enum|protocol|actor|typealias) ($modules)\b" Modules Apps --include='*.swift' || true)

# In a checkout only what is tracked counts: what the tool wrote while somebody tried it is no finding.
top_level() {
    if [ -e .git ]; then git ls-files | cut -d/ -f1 | sort -u; else ls -A; fi
}

while IFS= read -r entry; do
    case "$entry" in
    Package.swift | Modules | Apps | Tests | Fixtures | Makefile | README.md | LICENSE) ;;
    .*) ;;
    *) report "$entry: not in the agreed list of the top level; it belongs inside a folder that is" ;;
    esac
done < <(top_level)

if [ "$findings" -gt 0 ]; then
    echo "layering: $findings finding(s)" >&2
    exit 1
fi
