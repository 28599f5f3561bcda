#!/usr/bin/env bash
# Prints the files of Modules with at least one line that is executed when one changed employee is saved, and their
# count. Fails if the count exceeds the limit, or if nothing was measured.
#
# Usage: Tests/Tools/SavedFiles/saved-files.sh BUILD-PATH [LIMIT]
set -euo pipefail
cd "$(dirname "$0")"
build=$1
limit=${2:-}

# 'swift build' has the option of code coverage for tests only, so the compiler gets its flags here.
flags=(--package-path . --build-path "$build" -Xswiftc -profile-generate -Xswiftc -profile-coverage-mapping)
swift build "${flags[@]}" --product save-one >&2
program=$(swift build "${flags[@]}" --show-bin-path)/save-one
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
LLVM_PROFILE_FILE="$folder/profile" "$program" "$folder"
if [ ! -s "$folder/profile" ]; then
    echo "saved-files: the program has written no profile" >&2
    exit 1
fi
# The tools of the toolchain read its version of the format.
tools=$(dirname "$(readlink -f "$(command -v swift)")")
"$tools/llvm-profdata" merge "$folder/profile" -o "$folder/merged"
files=$("$tools/llvm-cov" export "$program" -instr-profile "$folder/merged" -summary-only |
    python3 -c '
import json, sys
for file in json.load(sys.stdin)["data"][0]["files"]:
    if "/Modules/" in file["filename"] and file["summary"]["lines"]["covered"] > 0:
        print(file["filename"].split("/Modules/")[1])' | sort)
count=$(echo "$files" | grep -c . || true)
echo "$files"
echo "saved-files: $count files of Modules"
if [ "$count" -eq 0 ]; then exit 1; fi
if [ -n "$limit" ] && [ "$count" -gt "$limit" ]; then
    echo "saved-files: at most $limit files are allowed" >&2
    exit 1
fi
