# Reads the events that Swift Testing writes (version 0, one object of JSON a line, its keys in any order), and prints lines of
# "off NAME REASON" and "took SECONDS NAME", with tabs between.
#
# Usage: awk -v slots=N -f test-report.awk EVENTS; N is how many cases ran at once.
#
# The cases of a test with arguments tell when they began. Any other test only tells when it was put in the queue, all of them at
# once; so the queue is played again: the next test begins when a slot is free.

# The text of a key, as it stands in JSON.
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
# The one that was taken to have begun last goes back to the queue.
function takeBack(    id) {
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
    # Every case has an id and a name too.
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
    if (running >= slots) takeBack()
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
        # It ran, so another one did not yet.
        if (!(id in began)) {
            for (place = first + 1; place <= last && queue[place] != id; place++) {}
            for (; place > first + 1; place--) queue[place] = queue[place - 1]
            first++
            other = newest[begins]
            now = (other in began) ? began[other] : seconds()
            takeBack()
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
    print "off\t" names[text("testID")] "\t" reason
}
END {
    # A case in which the process ended has no end.
    for (id in took) if (open[id] == 0) printf "took\t%.1f\t%s\n", took[id], names[id]
}
