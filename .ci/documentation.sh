#!/usr/bin/env bash
# Fails if a public symbol of a library module has no abstract, and prints these symbols. With a third argument, also
# renders the documentation of every module below that folder.
#
# Usage: .ci/documentation.sh SYMBOL-GRAPHS WORK-FOLDER [OUTPUT-FOLDER]
# SYMBOL-GRAPHS is the folder into which the build writes the symbol graphs (see the Makefile).
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: .ci/documentation.sh SYMBOL-GRAPHS WORK-FOLDER [OUTPUT-FOLDER]" >&2
    exit 64
fi
graphs=$1
work=$2
output=${3:-}
package="$(dirname "$0")/.."

# A toolchain contains docc in the folder of swift, which is not always in PATH.
docc=$(command -v docc || echo "$(dirname "$(readlink -f "$(command -v swift)")")/docc")

# Prints the references of the symbols without an abstract. The report is one line of JSON with keys in any order, so
# the function splits it at the closing brace of each entry. It ignores pages that docc generates, articles, and the
# initializers init(rawValue:) of enumerations and init(from:) of Decodable types, which the compiler generates.
# `swift format` requires comments for handwritten ones.
undocumented() {
    awk '{ gsub(/[{}]/, "\n&\n"); print }' "$1" | awk '
        $0 == "{" { depth++; next }
        $0 == "}" && --depth == 0 {
            if (entry ~ /"hasAbstract":false/ && entry !~ /kind\.(collectionGroup|article|extended)/ &&
                entry !~ /init\((rawValue|from):\)"/) {
                match(entry, /"referencePath":"[^"]*"/)
                path = substr(entry, RSTART + 17, RLENGTH - 18)
                gsub(/\\\//, "/", path)
                print "  " path
            }
            entry = ""
        }
        $0 != "}" { entry = entry $0 }'
}

# Prints the modules whose symbols one catalog documents. StrataPersistence documents the modules that it re-exports, and
# StrataStoreKit, because its pages explain both.
parts() {
    case "$1" in
    StrataPersistence) echo "StrataCore StrataStoreKit StrataInMemory StrataSQLite StrataAtomicStores StrataPersistence" ;;
    *) echo "$1" ;;
    esac
}

# Copies the symbol graphs of a part and renames its module to the re-exporting one, so that links between the parts
# need no module name. An @ in a file name denotes an extension of another module, which does not apply after the
# renaming.
collect() {
    local graph name part
    for graph in "$graphs/$1".symbols.json "$graphs/$1"@*.symbols.json; do
        if [ ! -e "$graph" ]; then continue; fi
        name=$(basename "$graph")
        for part in $(parts "$2"); do
            if [[ $part != "$1" && $name == *@$part.* ]]; then name=${name/@/-of-}; fi
        done
        sed -E "s/\"($(parts "$2" | tr ' ' '|'))\"/\"$2\"/g" "$graph" >"$work/$2/graphs/$name"
    done
}

findings=0
# Every catalog is in the folder of its module and has the module's name. Every folder of Modules with public declarations
# has one.
for folder in "$package"/Modules/*/; do
    if ! grep -rqE '^ *public ' "$folder" --include='*.swift' || [ -n "$(find "$folder" -name '*.docc')" ]; then continue; fi
    echo "documentation: ${folder#"$package/"} has no catalog MODULE.docc" >&2
    findings=$((findings + 1))
done
for catalog in $(find "$package/Modules" -name '*.docc' | sort); do
    module=$(basename "$catalog" .docc)
    if [ ! -e "$catalog/$module.md" ]; then
        echo "documentation: ${catalog#"$package/"} has no page $module.md" >&2
        findings=$((findings + 1))
        continue
    fi
    rm -rf "${work:?}/$module"
    mkdir -p "$work/$module/graphs"
    for part in $(parts "$module"); do
        if [ ! -e "$graphs/$part.symbols.json" ]; then
            echo "documentation: $graphs/$part.symbols.json is missing; build first ('make strict')" >&2
            exit 1
        fi
        collect "$part" "$module"
    done
    options=(--fallback-display-name "$module" --fallback-bundle-identifier "strata.$module"
        --additional-symbol-graph-dir "$work/$module/graphs" --warnings-as-errors)
    "$docc" convert "$catalog" "${options[@]}" --output-dir "$work/$module/coverage" \
        --experimental-documentation-coverage --coverage-summary-level none >"$work/$module/log" || {
        cat "$work/$module/log" >&2
        findings=$((findings + 1))
        continue
    }
    missing=$(undocumented "$work/$module/coverage/documentation-coverage.json")
    if [ -n "$missing" ]; then
        echo "documentation: public symbols of $module without an abstract:" >&2
        echo "$missing" >&2
        findings=$((findings + $(echo "$missing" | wc -l)))
    fi
    if [ -n "$output" ]; then
        mkdir -p "$output"
        "$docc" convert "$catalog" "${options[@]}" --output-dir "$output/$module" --transform-for-static-hosting
    fi
done

if [ "$findings" -gt 0 ]; then
    echo "documentation: $findings finding(s)" >&2
    exit 1
fi
