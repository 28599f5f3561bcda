import Foundation
import StrataTestSupport
import Testing

/// Tests that rejects are in place before the remaining rows are committed, and that nothing is committed otherwise.
@Suite("Rejects and reports that cannot be written", .faultsSystemCalls)
struct RejectsFaultTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String, faults: SystemFaults = SystemFaults()) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder, faults: faults)
    }

    private static let importing =
        "import bad.csv --entity boss --store s --on-error reject --rejects out.csv --report r --quiet"

    private func prepare() throws {
        let rows = (1...20).map { "\($0),a\($0),b\n" } + ["21,,b\n", "x,a,b\n"]
        try folder.write("id,firstName,lastName\n" + rows.joined(), to: "bad.csv")
    }

    /// Returns the number of bosses in the store, or 0 without a store.
    private func stored() throws -> Int {
        guard try folder.files.contains("s") else { return 0 }
        let result = try strata("export --entity boss --store s --no-header")
        guard result.status == 0 else { return 0 }
        return result.output.split(separator: "\n").count
    }

    private static let everything =
        "#strata-rejects of bad.csv\nid,firstName,lastName\n#strata-reject: line 22, record 21, column firstName: "
        + "null is not allowed, firstName is mandatory\n21,,b\n"
        + "#strata-reject: line 23, record 22, column id: \"x\" is not a whole number\nx,a,b\n"

    @Test(
        "an import stores nothing if its rejects or report cannot be written before the commit",
        arguments: ["out.csv", "r"], [SystemFaults.Call.create, .write, .fsync, .rename])
    func failing(file: String, call: SystemFaults.Call) throws {
        try prepare()
        let path = call == .rename ? file : ".\(file).strata-"
        // Named files can be distinguished.
        let failed = try strata(
            Self.importing,
            faults: SystemFaults(.unnamedFiles, .init(call: call, path: path, effect: .fails(ENOSPC))))
        failed.expect(status: 74)
        #expect(failed.errors.hasSuffix("No space left on device\n"), "\(failed.errors)")
        #expect(try stored() == 0)
        try strata(Self.importing).expect(status: 65)
        #expect(try stored() == 20)
        #expect(try folder.text("out.csv") == Self.everything)
    }

    @Test("a report that cannot be completed after the commit exits 74, and the message reports the stored rows")
    func behindCommit() throws {
        try prepare()
        // After the report is in place, only its outcome is written.
        let failed = try strata(
            Self.importing,
            faults: SystemFaults(.unnamedFiles, .init(call: .write, path: "/r", effect: .fails(EIO))))
        failed.expect(status: 74)
        #expect(
            failed.errors == """
                imported 20 Boss records (2 rejected) from bad.csv into s
                the rejected records are in out.csv
                r: cannot be written: Input/output error

                """)
        #expect(try stored() == 20)
        #expect(try folder.text("r").hasSuffix("\"outcome\":\"committing\"}\n"))
    }

    @Test("an import killed before any system call never stores rows without rejects or with a wrong report")
    func killed() throws {
        try prepare()
        try strata(Self.importing, faults: SystemFaults(log: "log")).expect(status: 65)
        #expect(try stored() == 20)
        let calls = try folder.text("log").split(separator: "\n").count
        var outcomes: [Int: Int] = [:]
        // Most of the last calls belong to the commit and its messages.
        let some =
            Array(stride(from: 1, to: calls - 24, by: 9)) + Array(stride(from: calls - 24, through: calls, by: 2))
        for number in Seeds.areAll ? Array(1...calls) : some {
            for name in ["s", "s-wal", "s-shm", "out.csv", "r"] where try folder.files.contains(name) {
                try FileManager.default.removeItem(atPath: folder.path(name))
            }
            let killed = try strata(
                Self.importing, faults: SystemFaults(.init(call: .any, number: number, effect: .kills)))
            #expect(killed.status == 128 + SIGKILL || killed.status == 65)
            let rows = try stored()
            outcomes[rows, default: 0] += 1
            #expect([0, 20].contains(rows))
            let report = try folder.files.contains("r") ? folder.text("r") : ""
            if rows == 20 {
                #expect(try folder.text("out.csv") == Self.everything, "call \(number)")
                #expect(report.contains("\"outcome\":\"committing\"") || report.contains("\"outcome\":\"stored\""))
            } else {
                #expect(!report.contains("\"outcome\":\"stored\""), "call \(number)")
            }
        }
        #expect(Set(outcomes.keys) == [0, 20])
    }

    @Test("a failed commit leaves a report of the failure and the rejects")
    func failingCommit() throws {
        try prepare()
        try #require(
            try strata("import bad.csv --entity boss --store s --dry-run --on-error reject --quiet").status == 65)
        try folder.write("firstName,lastName\nz,z\n", to: "one.csv")
        try strata("import one.csv --entity boss --store s --quiet").expect(status: 0)
        let line = Self.importing.replacing("--store s", with: "--store s --on-conflict update")
        let failed = try strata(
            line, faults: SystemFaults(.init(call: .write, path: "/s-wal", isOnward: true, effect: .fails(ENOSPC))))
        failed.expect(status: 74)
        #expect(try stored() == 1)
        #expect(try folder.text("out.csv") == Self.everything)
        let report = try folder.text("r")
        #expect(
            report.contains("\"inserted\":0,") && report.contains("\"read\":22,") && report.contains("\"rejected\":2,"))
        #expect(report.hasSuffix("\"outcome\":\"failed\"    }\n"), "\(report)")
    }
}
