import Foundation
import StrataTestSupport
import Testing

@testable import strata

@Suite("Interrupted imports", .serialized)
struct InterruptionTests {
    private static let tool = Tool.quickest.namingReferenceModel
    private static let rows = Tool.release == nil ? 8_000 : 200_000
    private let folder = TemporaryFolder()

    /// Creates a store with one boss and a file of employees.
    private func prepare() throws {
        try folder.write("firstName,lastName\na,b\n", to: "boss.csv")
        try Self.tool.run(["import", "boss.csv", "--entity", "boss", "--store", "s"], in: folder).expect(status: 0)
        let arguments = ["--entity", "employee", "--count", "Employee=\(Self.rows),Boss=1", "--seed", "3"]
        try Self.tool.run(["generate"] + arguments + ["--output", "e.csv"], in: folder).expect(status: 0)
    }

    private static let importing = ["import", "e.csv", "--entity", "employee", "--store", "s"]

    private static let complete = ["Boss 1", "Employee \(rows)"]

    private func counts() throws -> [String] {
        let info = try Self.tool.run(["info", "--store", "s"], in: folder)
        info.expect(status: 0)
        return info.output.split(separator: "\n").filter { $0.hasPrefix("Boss") || $0.hasPrefix("Employee") }
            .map { $0.split(separator: " ").joined(separator: " ") }
    }

    @Test("an import killed at a random moment stores no rows, and the next import succeeds")
    func killed() throws {
        try prepare()
        // The duration of a whole import, over which the moments are distributed.
        let clock = ContinuousClock()
        let whole = try clock.measure {
            try FileManager.default.copyItem(atPath: folder.path("s"), toPath: folder.path("copy"))
            let result = try Self.tool.run(["import", "e.csv", "--entity", "employee", "--store", "copy"], in: folder)
            result.expect(status: 0)
        }
        var (rounds, killed) = (0, 0)
        while rounds < Seeds.count(4, all: 10) || (killed == 0 && rounds < 200) {
            rounds += 1
            let running = try Self.tool.start(Self.importing, in: folder)
            let moment = running.send(SIGKILL, within: whole * 0.9)
            let result = try running.wait()
            let found = try counts()
            if result.status == 128 + SIGKILL, found != Self.complete {
                killed += 1
                #expect(found == ["Boss 1", "Employee 0"], "killed after \(moment)")
            } else {
                // The import was already committed; the next attempt begins with the same store.
                #expect(found == Self.complete, "killed after \(moment)")
                try FileManager.default.removeItem(atPath: folder.path("s"))
                #expect(
                    try Self.tool.run(["import", "boss.csv", "--entity", "boss", "--store", "s"], in: folder).status
                        == 0)
            }
        }
        #expect(killed > 0)
        try Self.tool.run(Self.importing, in: folder).expect(status: 0)
        #expect(try counts() == Self.complete)
        #expect(try folder.files == ["boss.csv", "copy", "e.csv", "s"])
    }

    @Test(
        "an interrupted import stores nothing, reports the interruption and exits 130",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) throws {
        try prepare()
        // After cat ends, all rows are read except those in the pipe. The pipe is still open, so the import waits for
        // more rows when the signal comes. Without set -m the shell's background processes ignore SIGINT; with it, the
        // shell reports their ends. The release tool gets more rows than SQLite keeps in memory, so some have been
        // written by then.
        let written = Tool.release == nil ? "" : "until [ -s s-wal ] || ! kill -0 $tool; do sleep 0.01; done; "
        let line =
            "set -m; exec 4>&2 2>/dev/null; mkfifo rows; "
            + "\"\(Self.tool.path)\" import - --format csv --entity employee --store s < rows 2>&4 & tool=$!; "
            + "exec 3> rows; cat e.csv >&3; \(written)kill -\(signal) $tool; wait $tool"
        let result = try Tool.reference.shell(line, in: folder)
        result.expect(status: 130)
        #expect(result.errors == "strata: interrupted; nothing was stored or replaced\n")
        #expect(try counts() == ["Boss 1", "Employee 0"])
    }

    @Test("an import interrupted while it waits for standard input leaves no new store")
    func waiting() throws {
        let line =
            "set -m; exec 4>&2 2>/dev/null; mkfifo rows; exec 3<> rows; strata=\"\(Tool.debug.path)\"; "
            + "\"$strata\" import --model reference - --format csv --entity boss --store new <&3 2>&4 & tool=$!; "
            + "until [ -s new ]; do sleep 0.01; done; kill -INT $tool; wait $tool"
        let result = try Tool.reference.shell(line, in: folder)
        result.expect(status: 130)
        #expect(result.errors == "strata: interrupted; nothing was stored or replaced\n")
        #expect(try folder.files == ["rows"])
    }

    @Test(
        "a signal sent before the tool handles signals still interrupts the command",
        arguments: [SIGINT, SIGTERM, SIGHUP])
    func early(signal: Int32) throws {
        // The signal is blocked by the parent and therefore pending until the tool unblocks it.
        let running = try Tool.reference.start(
            ["generate", "--count", "Boss=3,Employee=50000000", "-o", "d"], in: folder, holding: [signal])
        running.send(signal)
        let result = try running.wait()
        #expect(result.errors == "strata: interrupted; nothing was stored or replaced\n")
        result.expect(status: 130)
    }

    @Test("a signal that is ignored from the start, as under nohup, remains ignored")
    func ignoredSignal() throws {
        let line =
            "mkfifo rows; (trap '' HUP; exec \"\(Tool.debug.path)\" import --model reference - --format csv "
            + "--entity boss --store new < rows) & tool=$!; exec 3> rows; until [ -s new ]; do sleep 0.01; done; "
            + "kill -HUP $tool; printf 'firstName,lastName\\na,b\\n' >&3; exec 3>&-; wait $tool"
        let result = try Tool.reference.shell(line, in: folder)
        result.expect(status: 0)
        #expect(result.errors == "imported 1 Boss record from standard input into new\n")
    }

    @Test("a signal during a command interrupts it once, and a signal after the command's end is ignored")
    func progress() throws {
        let early = InterruptionProgress()
        #expect(!early.notice() && !early.isUnnoticed)
        early.request()
        #expect(early.isUnnoticed)
        #expect(throws: CancellationError.self) { try early.finish() }
        #expect(!early.isUnnoticed && early.notice())
        let late = InterruptionProgress()
        try late.finish()
        late.request()
        #expect(!late.notice() && !late.isUnnoticed)
        try late.finish()
    }
}
