#!/usr/bin/env bash
# Fails when a public symbol of a library module has no abstract, and prints those that have none.
# With a third argument, renders the documentation of every module below that folder besides.
#
# Usage: .ci/documentation.sh SYMBOL-GRAPHS WORK-FOLDER [OUTPUT-FOLDER]
# SYMBOL-GRAPHS is the folder into which the build emits them (see the Makefile).
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: .ci/documentation.sh SYMBOL-GRAPHS WORK-FOLDER [OUTPUT-FOLDER]" >&2
    exit 64
fi
graphs=$1
work=$2
output=${3:-}
package="$(dirname "$0")/.."

# docc stands beside swift in a toolchain, though not always in PATH.
docc=$(command -v docc || echo "$(dirname "$(readlink -f "$(command -v swift)")")/docc")

# Prints the references of the symbols without an abstract. The report is one line of JSON whose keys come in any
# order, so it is cut where the braces of an entry close. Pages that docc makes up itself and articles are no
# symbols, and an enumeration's init(rawValue:) and a Decodable's init(from:) are the compiler's (written by hand, swift format
# asks for their comments).
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

findings=0
# A folder of Modules is one module, called as its catalogue.
for folder in "$package"/Modules/*/; do
    if [ -e "$folder/module.modulemap" ]; then continue; fi
    catalog=$(find "$folder" -maxdepth 1 -name '*.docc')
    module=$(basename "$catalog" .docc)
    if [ ! -e "$catalog/$module.md" ]; then
        echo "documentation: ${folder#"$package/"} has no catalogue MODULE.docc with a page MODULE.md" >&2
        findings=$((findings + 1))
        continue
    fi
    if [ ! -e "$graphs/$module.symbols.json" ]; then
        echo "documentation: $graphs/$module.symbols.json is missing; build first ('make strict')" >&2
        exit 1
    fi
    rm -rf "${work:?}/$module"
    mkdir -p "$work/$module/graphs"
    cp "$graphs/$module".symbols.json "$work/$module/graphs/"
    for extension in "$graphs/$module"@*.symbols.json; do
        if [ -e "$extension" ]; then cp "$extension" "$work/$module/graphs/"; fi
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
