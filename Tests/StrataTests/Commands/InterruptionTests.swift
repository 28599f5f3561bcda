import Foundation
import StrataTestSupport
import Testing

@testable import strata

@Suite("Imports that are ended from outside", .serialized)
struct InterruptionTests {
    private static let tool = Tool.quickest.namingReferenceModel
    private static let rows = Tool.release == nil ? 8_000 : 200_000
    private let folder = TemporaryFolder()

    /// A store with one boss, and a file of employees.
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

    @Test("killed at random moments, the store opens, has none of the rows, and takes them all the next time")
    func killed() throws {
        try prepare()
        // How long the whole import takes here, so that the moments are spread over it.
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
                // It had committed already this time; the next one starts from the same store again.
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

    @Test("interrupted, it stores nothing, says so and ends with 130", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) throws {
        try prepare()
        // Once cat is done all rows are read but for what a pipe holds, and as the pipe stays open, the import waits for more of
        // them when the signal comes. Without set -m the shell has its background processes ignore SIGINT; with it, it reports
        // their ends.
        // So many rows as the release tool gets are more than SQLite keeps in memory: some have been written by then.
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

    @Test("interrupted while it waits for standard input, it leaves no new store")
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

    @Test("a signal that comes before it listens is not lost", arguments: [SIGINT, SIGTERM, SIGHUP])
    func early(signal: Int32) throws {
        // Blocked by who starts it, the signal waits until then.
        let running = try Tool.reference.start(
            ["generate", "--count", "Boss=3,Employee=50000000", "-o", "d"], in: folder, holding: [signal])
        running.send(signal)
        let result = try running.wait()
        #expect(result.errors == "strata: interrupted; nothing was stored or replaced\n")
        result.expect(status: 130)
    }

    @Test("a signal that is ignored from the start stays so, as under nohup")
    func ignoredSignal() throws {
        let line =
            "mkfifo rows; (trap '' HUP; exec \"\(Tool.debug.path)\" import --model reference - --format csv "
            + "--entity boss --store new < rows) & tool=$!; exec 3> rows; until [ -s new ]; do sleep 0.01; done; "
            + "kill -HUP $tool; printf 'firstName,lastName\\na,b\\n' >&3; exec 3>&-; wait $tool"
        let result = try Tool.reference.shell(line, in: folder)
        result.expect(status: 0)
        #expect(result.errors == "imported 1 Boss record from standard input into new\n")
    }

    @Test("a signal before the end is noticed once, and one after it is ignored")
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
