#!/usr/bin/env bash
# Prints the files of Modules with at least one line that is executed when one changed employee is saved, and their
# count. Fails if the count exceeds the limit, or if nothing was measured.
#
# Usage: Tests/Tools/Coverage/save-files.sh BUILD-PATH [LIMIT]
set -euo pipefail
cd "$(dirname "$0")/../../.."
build=$1
limit=${2:-}

flags=(--build-path "$build" --enable-code-coverage)
swift build "${flags[@]}" --build-tests
profile=$(mktemp)
trap 'rm -f "$profile" "$profile.merged"' EXIT
STRATA_SAVE_PROFILE=$profile swift test "${flags[@]}" --skip-build --filter '^RepositoriesTests\.SaveCoverageTests'
if [ ! -s "$profile" ]; then
    echo "save-files: the test has written no profile" >&2
    exit 1
fi
# The tools of the toolchain read its version of the format.
tools=$(dirname "$(command -v swift)")
"$tools/llvm-profdata" merge "$profile" -o "$profile.merged"
bundle=$(find -L "$build" -name '*.xctest' -type f | head -1)
files=$("$tools/llvm-cov" export "$bundle" -instr-profile "$profile.merged" -summary-only |
    python3 -c '
import json, sys
for file in json.load(sys.stdin)["data"][0]["files"]:
    if "/Modules/" in file["filename"] and file["summary"]["lines"]["covered"] > 0:
        print(file["filename"].split("/Modules/")[1])' | sort)
count=$(echo "$files" | grep -c .)
echo "$files"
echo "save-files: $count files of Modules"
if [ -n "$limit" ] && [ "$count" -gt "$limit" ]; then
    echo "save-files: at most $limit files are allowed" >&2
    exit 1
fi
