#!/bin/sh
# Creates or migrates the store, and ends. Run it as one job before the instances of a new release start.
#
# The service prints its address after the store is open. It accepts connections of this machine only.
#
# Usage: migrate.sh    with STRATA_STORE in the environment
set -eu

export STRATA_MIGRATE=true STRATA_HOST=127.0.0.1 STRATA_PORT=0 STRATA_TOKEN_FILE=
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
mkfifo "$folder/output"
"$(dirname "$0")/strata-service" >"$folder/output" &
process=$!
if ! read -r address <"$folder/output"; then
    wait "$process" || exit
    exit 1
fi
echo "migrate: the store is ready; stopping the service at $address" >&2
kill -TERM "$process"
wait "$process"
