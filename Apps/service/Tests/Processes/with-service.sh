#!/usr/bin/env bash
# Starts the service with a temporary store, the datasets of Fixtures and a token, and runs a command with two more
# arguments: the address of the service, and its token file.
#
# Usage: Apps/service/Tests/Processes/with-service.sh PROGRAM COMMAND…
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: Apps/service/Tests/Processes/with-service.sh PROGRAM COMMAND…" >&2
    exit 64
fi
program=$1
shift
fixtures=$(cd "$(dirname "$0")/../../../../Fixtures" && pwd)

folder=$(mktemp -d)
process=
stop() {
    if [ -n "$process" ]; then kill "$process" 2>/dev/null && wait "$process" || true; fi
    rm -rf -- "$folder"
}
trap stop EXIT

echo "tester $(od -An -N32 -tx1 /dev/urandom | tr -d ' \n')" >"$folder/tokens"
mkfifo "$folder/output"
STRATA_LOG_LEVEL=warning "$program" --store "$folder/store.sqlite" --port 0 --seed "$fixtures" \
    --token-file "$folder/tokens" >"$folder/output" &
process=$!
if ! read -r address <"$folder/output"; then
    echo "with-service: the service did not start" >&2
    exit 1
fi
"$@" "$address" "$folder/tokens"
