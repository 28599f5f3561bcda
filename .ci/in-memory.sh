#!/usr/bin/env bash
# Runs a command with its temporary files in memory, if the system has a folder for that with enough free space. On a
# disk, the tests wait for writes in one of seven seconds. `make test-release` and the sanitizers run the tests on the
# disk.
#
# Usage: .ci/in-memory.sh COMMAND [ARGUMENT]…
set -euo pipefail

# The tests used at most 65 MB at a time, measured twice a second. The rest is a reserve for tests with all seeds and
# for other programs.
needed_megabytes=1024
memory=/dev/shm

# A folder that the caller chose has precedence.
if [[ -z ${TMPDIR:-} && -d $memory && -w $memory ]]; then
    available=$(df --output=avail --block-size=1M "$memory" 2>/dev/null | tail -n 1 || echo 0)
    if ((available >= needed_megabytes)); then
        TMPDIR=$(mktemp -d "$memory/strata-tests.XXXXXXXX")
        trap 'rm -rf "$TMPDIR"' EXIT
        # Tests also run the tool as an unprivileged user.
        chmod 1777 "$TMPDIR"
        export TMPDIR
    fi
fi
"$@"
