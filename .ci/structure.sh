#!/usr/bin/env bash
# Compiles .ci/Structure.swift, which checks layers and labels, and runs it. Then fails if the top level of the repository
# contains an entry that is not allowed, or if a type has the name of a module.
#
# Usage: .ci/structure.sh BUILD-PATH [--list]
set -euo pipefail
work=$1
shift
cd "$(dirname "$0")/.."
mkdir -p "$work"

# The toolchain contains the parser of Swift.
host=$(swiftc -print-target-info | sed -n 's/.*"runtimeResourcePath": "\(.*\)".*/\1/p')/host
if [ ! "$work/structure" -nt .ci/Structure.swift ]; then
    swiftc -O -swift-version 5 -I "$host" -L "$host" -lSwiftSyntax -lSwiftParser -Xlinker -rpath -Xlinker "$host" \
        -module-name structure .ci/Structure.swift -o "$work/structure"
fi
"$work/structure" "$@"

# If a type had the name of a module, MODULE.Type would refer to a member of that type.
modules=$(sed -nE 's/.*name: "(Strata[A-Za-z]*)".*/\1/p' Package.swift | sort -u | paste -sd'|' -)
if grep -rnE "\b(struct|class|enum|protocol|actor|typealias) ($modules)\b" Modules Apps --include='*.swift'; then
    echo "structure: a type must not have the name of a module" >&2
    exit 1
fi

# Only tracked files count, so that output files of the tool are not reported.
top_level='^(Package\.swift|Modules|Apps|Tests|Fixtures|Makefile|README\.md|LICENSE|CHANGELOG\.md|\..*)$'
if git ls-files | cut -d/ -f1 | sort -u | grep -vE "$top_level"; then
    echo "structure: these entries must be in a folder of the top level" >&2
    exit 1
fi
