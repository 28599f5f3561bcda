# Reads the events of Swift Testing (version 0, one JSON object per line with keys in any order), and prints
# tab-separated lines of "skipped NAME REASON" and "took SECONDS NAME".
#
# Usage: awk -v slots=N -f test-report.awk EVENTS    N is the number of cases that ran concurrently
#
# The cases of a parameterized test report when they begin. Any other test reports only when it was queued, and all
# tests are queued at once. Therefore the program simulates the queue: the next test begins when a slot is free.

# Returns the JSON string value of a key.
function text(key) {
    if (!match($0, "\"" key "\":\"([^\"\\\\]|\\\\.)*\"")) return ""
    return plain(substr($0, RSTART + length(key) + 4, RLENGTH - length(key) - 5))
}
function plain(value) {
    gsub(/\\"/, "\"", value)
    gsub(/\\\//, "/", value)
    return value
}
function seconds() {
    return match($0, /"absolute":[0-9.]+/) ? substr($0, RSTART + 11, RLENGTH - 11) : 0
}
function fill(now) {
    while (running < slots && first < last) begin(queue[++first], now)
}
function begin(id, now) {
    began[id] = now
    newest[++begins] = id
    running++
}
# Returns the test with the latest assumed beginning to the queue.
function requeue(    id) {
    while (begins > 0) {
        id = newest[begins--]
        if (!(id in began)) continue
        delete began[id]
        queue[first--] = id
        running--
        return
    }
}

/"kind":"test",|"kind":"test"}/ {
    # Each case also has an id and a name.
    sub(/"_testCases":\[.*\}\],/, "")
    id = text("id")
    names[id] = text("displayName") != "" ? text("displayName") : text("name")
    isSingle[id] = /"kind":"function"/ && !/"isParameterized":true/
}
/"kind":"testStarted"/ {
    id = text("testID")
    if (isSingle[id]) {
        queue[++last] = id
        fill(seconds())
    }
}
/"kind":"testCaseStarted"/ {
    id = text("testID")
    took[id] -= seconds()
    open[id]++
    if (running >= slots) requeue()
    running++
}
/"kind":"testCaseEnded"/ {
    id = text("testID")
    took[id] += seconds()
    open[id]--
    running--
    fill(seconds())
}
/"kind":"testEnded"/ {
    id = text("testID")
    if (isSingle[id]) {
        # The test ran in the slot of another test, which has not begun yet.
        if (!(id in began)) {
            for (place = first + 1; place <= last && queue[place] != id; place++) {}
            for (; place > first + 1; place--) queue[place] = queue[place - 1]
            first++
            other = newest[begins]
            now = (other in began) ? began[other] : seconds()
            requeue()
            begin(id, now)
        }
        took[id] = seconds() - began[id]
        delete began[id]
        running--
        fill(seconds())
    }
}
/"kind":"testSkipped"/ {
    reason = match($0, /"_comments":\["([^"\\]|\\.)*"/) ? plain(substr($0, RSTART + 14, RLENGTH - 15)) : "no reason given"
    print "skipped\t" names[text("testID")] "\t" reason
}
END {
    # A case during which the process ended has no end event.
    for (id in took) if (open[id] == 0) printf "took\t%.1f\t%s\n", took[id], names[id]
}
