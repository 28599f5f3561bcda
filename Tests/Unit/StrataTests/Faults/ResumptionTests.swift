import Foundation
import StrataTestSupport
import Testing

/// Tests that an import resumes under its original conditions or not at all.
@Suite("Resumed imports", .faultsSystemCalls)
struct ResumptionTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String, faults: SystemFaults = SystemFaults()) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder, faults: faults)
    }

    private static let importing = "import in.csv --entity boss --store s --commit-every 10 --resume"

    /// Writes 95 records, some of them bad, and aborts their import before the fifth commit.
    private func prepare(_ options: String = " --rejects out") throws {
        let rows = (1...95).map { $0 % 40 == 7 ? "\($0),,b\n" : "\($0),a,b\n" }.joined()
        try folder.write("id,firstName,lastName\n" + rows, to: "in.csv")
        // The write-ahead log is synchronized at each commit.
        let killed = try strata(
            Self.importing + options,
            faults: SystemFaults(.init(call: .any, path: "/s-wal", number: 60, effect: .kills)))
        try #require(killed.status == 128 + SIGKILL, "\(killed.errors)")
        let count = try strata("export --entity boss --store s --no-header").output.split(separator: "\n").count
        try #require(count > 0 && count < 90 && count % 10 != 0)
    }

    @Test("the exit status and counts of a resumed import include the records of the interrupted run")
    func status() throws {
        try prepare()
        let rest = try strata(Self.importing + " --rejects out --report r")
        rest.expect(status: 65)
        #expect(try strata("export --entity boss --store s --no-header").output.split(separator: "\n").count == 92)
        let again = try strata(Self.importing + " --rejects out --report r")
        again.expect(status: 65)
        #expect(
            again.errors
                == "imported 0 Boss records (after 95 that an earlier run imported, 3 of them rejected) from in.csv "
                + "into s\n")
        #expect(try folder.text("r").contains("\"rejectedBefore\":3,"))
        let bad = try folder.text("out").split(separator: "\n").filter { $0.hasSuffix(",,b") }
        #expect(Set(bad) == ["7,,b", "47,,b", "87,,b"])
    }

    @Test("--max-errors of a resumed import applies to the whole import")
    func maximum() throws {
        try prepare()
        #expect(
            try strata(Self.importing + " --rejects out --max-errors 2").errors.contains("more than 2 records rejected")
        )
    }

    @Test(
        "a resumption with other options is rejected, and nothing is stored",
        arguments: [
            ("--map firstName=lastName --map lastName=firstName", "the mapping of its columns"),
            ("--ignore-unknown-columns --null a", "the mapping of its columns, the dialect"), ("--trim", "the dialect"),
            ("--delimiter ,", "the dialect"), ("--encoding latin-1", "the dialect"),
            ("--group .", "the spelling of its values"), ("--round-dates", "the spelling of its values"),
            ("--group id=, --decimal id=;", "the spelling of its values"),
            ("--on-conflict replace", "what happens to conflicts and missing references"),
            (
                "--format tsv --delimiter , --on-missing-reference null",
                "the format, the dialect, what happens to conflicts and missing references"
            ),
        ])
    func otherwise(options: String, what: String) throws {
        try prepare()
        let before = try strata("export --entity boss --store s").output
        let result = try strata(Self.importing + " --rejects out " + options)
        result.expect(status: 65)
        #expect(
            result.errors.contains(
                "the import was interrupted after this record with other options: \(what); resume with the same options, or import from the beginning\n"
            ),
            "\(result.errors)")
        #expect(try strata("export --entity boss --store s").output == before)
    }

    @Test("resuming with another header or file exits 65, but options that do not affect records may change")
    func others() throws {
        try prepare()
        let text = try folder.text("in.csv")
        try folder.write(text.replacing("firstName,lastName", with: "lastName,firstName"), to: "in.csv")
        let header = try strata(Self.importing + " --rejects out")
        #expect(header.status == 65 && header.errors.contains("with other options: the header;"), "\(header.errors)")
        try folder.write(text.replacing("a,b", with: "a,c"), to: "in.csv")
        let other = try strata(Self.importing + " --rejects out")
        #expect(other.status == 65 && other.errors.contains("the file is not the one whose import was interrupted"))
        try folder.write(text, to: "in.csv")
        let rest = try strata(
            "\(Self.importing) --rejects out --quiet --busy-timeout 3".replacing("every 10", with: "every 7"))
        #expect(rest.status == 65 && rest.errors == "")
    }

    @Test("resuming a completed import with other options is rejected")
    func whole() throws {
        try prepare()
        try strata(Self.importing + " --rejects out").expect(status: 65)
        let other = try strata(Self.importing + " --rejects out --map firstName=lastName --map lastName=firstName")
        other.expect(status: 65)
        #expect(
            other.errors.contains("the import ended after this record with other options: the mapping"),
            "\(other.errors)")
    }

    @Test("a resumed import commits at the same records as an uninterrupted import")
    func commits() throws {
        try folder.write(
            "id,firstName,lastName\n" + (1...20).map { $0 == 15 ? "15,,b\n" : "\($0),a,b\n" }.joined(), to: "in.csv")
        try strata(Self.importing).expect(status: 65)
        let kept = try strata("export --entity boss --store s --no-header").output.split(separator: "\n").count
        #expect(kept == 10)
        let rest = try strata(Self.importing.replacing("every 10", with: "every 3"))
        rest.expect(status: 65)
        // The last multiple of three before the invalid record.
        #expect(try strata("export --entity boss --store s --no-header").output.split(separator: "\n").count == 12)
    }
}
