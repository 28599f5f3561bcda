#!/usr/bin/env bash
# Runs a command whose temporary files lie in memory where the system has a folder for that and it has room: the tests wait for a
# disk in every seventh second otherwise. `make test-release` and the sanitizers run them on the disk.
#
# Usage: .ci/in-memory.sh COMMAND [ARGUMENT]…
set -euo pipefail

# The tests have 65 MB at a time, looked at twice a second; the rest is for tests with all seeds and for other programs.
needed_megabytes=1024
memory=/dev/shm

# A folder that the caller chose stays.
if [[ -z ${TMPDIR:-} && -d $memory && -w $memory ]]; then
    available=$(df --output=avail --block-size=1M "$memory" 2>/dev/null | tail -n 1 || echo 0)
    if ((available >= needed_megabytes)); then
        TMPDIR=$(mktemp -d "$memory/strata-tests.XXXXXXXX")
        trap 'rm -rf "$TMPDIR"' EXIT
        # Tests also run the tool as a user without privileges.
        chmod 1777 "$TMPDIR"
        export TMPDIR
    fi
fi
"$@"
