#!/usr/bin/env bash
# Runs 'swift test', and prints what was off (test and reason) and the ten slowest tests (seconds, name) behind its output.
# Ends with the status of the tests, whatever there is to report. A test's seconds are those of all its cases together; they were
# run beside others, so they are for seeing what grows, not for judging.
#
# Usage: .ci/test-report.sh EVENTS swift test ARGUMENT...
# EVENTS is the file that the tests' events are written to.
set -euo pipefail

if [ $# -lt 3 ]; then
    echo "usage: .ci/test-report.sh EVENTS swift test ARGUMENT..." >&2
    exit 64
fi
events=$1
shift
mkdir -p "$(dirname "$events")"
rm -f "$events"

status=0
"$@" --event-stream-output-path "$events" --event-stream-version 0 || status=$?

# One line for each event, its keys in any order: see "Event stream" in Swift Testing's documentation.
report() {
    awk '
        # The string of a key, as it stands in JSON.
        function text(key,    start) {
            if (!match($0, "\"" key "\":\"([^\"\\\\]|\\\\.)*\"")) return ""
            start = RSTART + length(key) + 4
            return plain(substr($0, start, RSTART + RLENGTH - 1 - start))
        }
        function plain(value) {
            gsub(/\\"/, "\"", value)
            gsub(/\\\//, "/", value)
            return value
        }
        function seconds() {
            match($0, /"absolute":[0-9.]+/)
            return substr($0, RSTART + 11, RLENGTH - 11)
        }
        /"kind":"test"/ { names[text("id")] = text("displayName") != "" ? text("displayName") : text("name") }
        /"kind":"testCaseStarted"/ { took[text("testID")] -= seconds(); open[text("testID")]++ }
        /"kind":"testCaseEnded"/ { took[text("testID")] += seconds(); open[text("testID")]-- }
        /"kind":"testSkipped"/ {
            reason = ""
            if (match($0, /"_comments":\["([^"\\]|\\.)*"/)) reason = plain(substr($0, RSTART + 15, RLENGTH - 16))
            if (reason == "") reason = "no reason given"
            off[++skipped] = text("testID") SUBSEP reason
        }
        END {
            for (number = 1; number <= skipped; number++) {
                split(off[number], parts, SUBSEP)
                print "off\t" names[parts[1]] "\t" parts[2]
            }
            # A test that the process ended in has no end.
            for (id in took) if (open[id] == 0) printf "took\t%.1f\t%s\n", took[id], names[id]
        }' "$events"
}

print() {
    echo
    echo "off:"
    report | awk -F '\t' '$1 == "off" { print "  " $2 ": " $3; count++ } END { if (!count) print "  nothing" }'
    echo "the slowest tests, in seconds:"
    report | awk -F '\t' '$1 == "took" { print $2 "\t" $3 }' | sort -rn |
        awk -F '\t' 'NR <= 10 { printf "%7.1f  %s\n", $1, $2 }'
}

if [ -s "$events" ]; then
    print || echo "test-report: the events could not be read" >&2
else
    echo "test-report: the tests wrote no events, so what was off and what was slow is not known" >&2
fi
exit "$status"
