#!/usr/bin/env bash
# Runs 'swift test', and prints the skipped tests (name, reason) and the ten slowest tests (seconds, name) after its
# output. Exits with the status of the tests. The seconds of a test are the sum over its cases. Tests run concurrently,
# so the seconds show trends but are not exact measurements.
#
# Usage: .ci/test-report.sh EVENTS [ARGUMENT...]
# EVENTS is the file for the events of the tests; the arguments are passed to 'swift test'.
set -euo pipefail

if [ $# -lt 1 ]; then
    echo "usage: .ci/test-report.sh EVENTS [ARGUMENT...]" >&2
    exit 64
fi
events=$1
shift
report=$(dirname "$0")/test-report.awk
mkdir -p "$(dirname "$events")"
rm -f "$events"

# Without a limit, all cases would run at once and wait for threads, so that all of them would appear slow.
slots=$(getconf _NPROCESSORS_ONLN)
options=()
if [[ $(swift test --help-hidden) == *--experimental-maximum-parallelization-width* ]]; then
    options=(--experimental-maximum-parallelization-width "$slots")
fi

status=0
swift test "$@" ${options[@]+"${options[@]}"} \
    --event-stream-output-path "$events" --event-stream-version 0 || status=$?

print() {
    local lines
    lines=$(awk -v slots="$slots" -f "$report" "$events")
    echo
    echo "skipped:"
    echo "$lines" | awk -F '\t' '$1 == "skipped" { print "  " $2 ": " $3; count++ } END { if (!count) print "  nothing" }'
    echo "the slowest tests, in seconds:"
    echo "$lines" | awk -F '\t' '$1 == "took" { print $2 "\t" $3 }' | sort -rn |
        awk -F '\t' 'NR <= 10 { printf "%7.1f  %s\n", $1, $2 }'
}

if [ -s "$events" ]; then
    print || echo "test-report: the events could not be read" >&2
else
    echo "test-report: the tests wrote no events, so the skipped and the slowest tests are unknown" >&2
fi
exit "$status"
