#!/usr/bin/env bash
# Runs 'swift test', and prints what was off (test and reason) and the ten slowest tests (seconds, name) behind its output.
# Ends with the status of the tests, whatever there is to report. A test's seconds are those of all its cases together; they were
# run beside others, so they are for seeing what grows, not for judging.
#
# Usage: .ci/test-report.sh EVENTS [ARGUMENT...], of 'swift test'
# EVENTS is the file that the tests' events are written to.
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

# All cases at once would wait for each other for a thread, and so all of them would be slow.
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
    echo "off:"
    echo "$lines" | awk -F '\t' '$1 == "off" { print "  " $2 ": " $3; count++ } END { if (!count) print "  nothing" }'
    echo "the slowest tests, in seconds:"
    echo "$lines" | awk -F '\t' '$1 == "took" { print $2 "\t" $3 }' | sort -rn |
        awk -F '\t' 'NR <= 10 { printf "%7.1f  %s\n", $1, $2 }'
}

if [ -s "$events" ]; then
    print || echo "test-report: the events could not be read" >&2
else
    echo "test-report: the tests wrote no events, so what was off and what was slow is not known" >&2
fi
exit "$status"
