import Foundation
import StrataTestSupport
import Testing

@Suite("Checks of generated fixtures")
struct GenerateCheckTests {
    private let folder = TemporaryFolder()

    /// Runs the tool without `--model` for a check, which finds the reference model by the manifest, and with it
    /// otherwise.
    private func strata(_ line: String) throws -> Tool.Result {
        let tool = line.hasPrefix("generate --check") ? Tool.debug : .reference
        return try tool.shell("strata \(line)", in: folder)
    }

    private static let counts = "--count Employee=200,Boss=2,Color=30,Item=0"

    private func make(_ options: String = "") throws {
        let result = try strata("generate \(Self.counts) \(options) -o d -q")
        result.expect(status: 0)
    }

    private func change(_ file: String, _ text: String, to other: String) throws {
        let before = try folder.text("d/\(file)")
        try #require(before.contains(text))
        try folder.write(before.replacingOccurrences(of: text, with: other), to: "d/\(file)")
    }

    private func expect(_ line: String, _ status: Int32, _ message: String) throws {
        let result = try strata("generate --check d \(line)")
        #expect(result.errors == message)
        result.expect(status: status)
        #expect(result.output == "")
    }

    /// Expects a check to report findings and, without `--quiet`, the advice that follows them.
    private func expectFindings(_ findings: String, format: String = "") throws {
        let again =
            "strata: generate the files again with: strata generate --model reference --description d/manifest.json "
            + "--output d\(format)\n"
        try expect("", 65, findings + again)
        try expect("--quiet", 65, findings)
    }

    private static let fine = "4 files of d match the manifest\n"

    @Test(
        "generated datasets pass the check in every format, with any thread count",
        arguments: Seeds.spread(2, of: ["csv", "tsv", "json", "ndjson"]))
    func fine(format: String) throws {
        try make("--format \(format) --hostile")
        for threads in ["", "--threads 1", "--threads 5"] { try expect(threads, 0, Self.fine) }
        try expect("--quiet", 0, "")
        try expect("\(Self.counts) --hostile", 0, Self.fine)
    }

    @Test("a check reports a changed byte, a missing line, a surplus line and a missing file")
    func differences() throws {
        try make()
        try change("Boss.csv", "Wójcik", to: "Wojcik")
        let boss =
            "d/Boss.csv:3: the file differs: \"2,Błażej,Wojcik\" was found, but \"2,Błażej,Wójcik\" was expected\n"
        try expectFindings(boss)
        try make()
        try change("Boss.csv", "2,Błażej,Wójcik\n", to: "")
        try expectFindings(
            "d/Boss.csv:3: the file differs: nothing more was found, but \"2,Błażej,Wójcik\" was expected\n")
        try change("Boss.csv", "1,Halil,Karakuş\n", to: "1,Halil,Karakuş\n2,Błażej,Wójcik\n3,Ada,Ito\n")
        let more = "d/Boss.csv:4: the file differs: \"3,Ada,Ito\" was found, but nothing more was expected\n"
        try expectFindings(more)
        try FileManager.default.removeItem(atPath: folder.path("d/Color.csv"))
        try expectFindings("d/Color.csv: the file is missing\n" + more)
    }

    @Test("a check of fixtures shows an excerpt around a difference far into a line")
    func longLines() throws {
        let name = String(repeating: "ä", count: 500)
        let fixed = "[{\"firstName\": \"\(name)b\(name)\", \"lastName\": \"Ito\"}]"
        try folder.write("{\"entities\": {\"Boss\": {\"count\": 1, \"fixed\": \(fixed)}}}", to: "d.json")
        #expect(try strata("generate --description d.json -o d -q").errors == "")
        try change("Boss.csv", "b", to: "c")
        let (before, behind) = (name.prefix(40), name.prefix(39))
        try expectFindings(
            "d/Boss.csv:2: the file differs: \"…\(before)c\(behind)…\" was found, "
                + "but \"…\(before)b\(behind)…\" was expected\n"
        )
    }

    @Test("a check of fixtures reports different line ends")
    func lineEnds() throws {
        try make()
        let text = try folder.text("d/Boss.csv").replacingOccurrences(of: "\n", with: "\r\n")
        try folder.write(text, to: "d/Boss.csv")
        let message =
            "d/Boss.csv:1: the file differs: \"id,firstName,lastName\\r\" was found, "
            + "but \"id,firstName,lastName\" was expected\n"
        try expectFindings(message)
    }

    @Test("a check of fixtures reports a changed manifest")
    func manifest() throws {
        try make()
        try change("manifest.json", "\"rows\": 30", to: "\"rows\": 31")
        try expectFindings(
            "d/manifest.json:8: the file differs: \"      \"rows\": 31,\" was found, "
                + "but \"      \"rows\": 30,\" was expected\n"
        )
        try make()
        try change("manifest.json", "\"count\": 2,", to: "\"count\": 3,")
        let result = try strata("generate --check d")
        result.expect(status: 65)
        #expect(result.errors.hasPrefix("d/Boss.csv:4: the file differs: nothing more was found, but \"3,"))
        try make()
        try change("manifest.json", "\"seed\": 42", to: "\"seed\": -1")
        let wrong = try strata("generate --check d")
        wrong.expect(status: 65)
        #expect(wrong.errors.hasPrefix("d/manifest.json:"))
        #expect(wrong.errors.hasSuffix(": \"seed\" must be a whole number from 0 to 18446744073709551615\n"))
    }

    @Test("a check omits slashes at the end of the directory's name in its messages")
    func slashes() throws {
        try make()
        #expect(try strata("generate --check d//").errors == Self.fine)
        let other = try strata("generate --check d/ --seed 7")
        #expect(
            other.errors == "d/manifest.json: was generated from another description: the seed is 42 in the "
                + "manifest, but 7 is given\n")
        try folder.write("mine", to: "d/Boss.csv")
        #expect(try strata("generate --check d/").errors.hasPrefix("d/Boss.csv:1: the file differs: "))
        try strata("generate --count Boss=1 --store Color.csv -q").expect(status: 0)
        #expect(
            try strata("generate -o .//").errors == "./Color.csv: the file is a SQLite database; choose another "
                + "output\n")
    }

    @Test("a check fails if the directory contains datasets that the manifest does not list")
    func leftovers() throws {
        try make("--format json")
        try make()
        try folder.write("mine", to: "d/notes.txt")
        let left = ["Boss", "Color", "Employee", "Item"].map {
            "d/\($0).json: the manifest does not contain this dataset; remove the file\n"
        }
        try expectFindings(left.joined())
        let made = try strata("generate \(Self.counts) -o d/")
        #expect(made.errors == "generated 232 records of 4 entities to d/\n" + left.joined())
        made.expect(status: 0)
    }

    /// The new descriptions with the difference that the check reports.
    static let others: [(options: String, difference: String)] = [
        ("--seed 7 \(counts)", "the seed is 42 in the manifest, but 7 is given"),
        ("--seed 42", "the count of Color is 30 in the manifest, but 500 is given"),
        ("--count Employee=200,Boss=3,Color=30,Item=0", "the count of Boss is 2 in the manifest, but 3 is given"),
        ("--count Boss=2", "Color is in the manifest, but not in the description"),
        ("--hostile \(counts)", "the share of hostile values is 0 in the manifest, but 0.2 is given"),
        (
            "--reference-date 2020-01-01 \(counts)",
            "the reference date is 2025-01-01T00:00:00Z in the manifest, but 2020-01-01T00:00:00Z is given"
        ),
        ("--description salary.json \(counts)", "Employee.salary is described differently"),
        ("--description locales.json", "the locales differ"),
    ]

    @Test("datasets of another description fail the check", arguments: others)
    func described(options: String, difference: String) throws {
        try make()
        let entities = "\"Color\": {}, \"Boss\": {}, \"Item\": {}, \"Employee\": "
        let salary = "{\"attributes\": {\"salary\": {\"uniform\": {\"minimum\": 1000, \"maximum\": 2000}}}}"
        try folder.write("{\"entities\": {\(entities)\(salary)}}", to: "salary.json")
        try folder.write("{\"locales\": {\"de\": 1}}", to: "locales.json")
        let isFileAlone = options.hasPrefix("--description") && !options.contains("--count")
        let again = "strata: generate the files again with: strata generate --model reference \(options) --output d\n"
        try expect(
            options, 65,
            "d/manifest.json: was generated from another description: \(difference)\n" + (isFileAlone ? again : ""))
    }

    @Test("the command that a failed check suggests generates the datasets again", arguments: ["csv", "ndjson"])
    func regenerate(format: String) throws {
        try make("--seed 9 --format \(format)")
        let whole = try folder.data("d/Color.\(format)")
        try folder.write("mine", to: "d/Color.\(format)")
        let errors = try strata("generate --check d").errors
        let advice = try #require(errors.split(separator: "\n").last?.split(separator: "with: strata ").last)
        #expect(advice.hasSuffix(format == "csv" ? " --output d" : " --output d --format ndjson"))
        try strata(String(advice)).expect(status: 0)
        #expect(try folder.data("d/Color.\(format)") == whole)
        try expect("", 0, Self.fine)
    }

    @Test("a check of datasets without a manifest of generate fails")
    func manifests() throws {
        let none = "d/manifest.json: cannot be read: No such file or directory\n"
        try expect("", 66, none)
        try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: false)
        try expect("", 66, none)
        #expect(try strata("generate \(Self.counts) --store s -q && strata export --all --store s -o d -q").status == 0)
        try expect(
            "", 65,
            "d/manifest.json:1:1: the manifest has no description of the files (\"fixtures\"); only files that strata "
                + "generate wrote can be generated again\n"
        )
        try folder.write("no JSON", to: "d/manifest.json")
        let result = try strata("generate --check d")
        #expect(result.status == 65 && result.errors.hasPrefix("d/manifest.json: "), "\(result.errors)")
        try FileManager.default.removeItem(atPath: folder.path("d"))
        try folder.write("a file", to: "d")
        let file = try strata("generate --check d")
        #expect(file.errors == "d/manifest.json: cannot be read: Not a directory\n")
        #expect(file.status != 0)
    }

    @Test("a check of datasets that are not writable succeeds and changes nothing")
    func readOnly() throws {
        try make()
        try folder.write("mine", to: "d/notes.txt")
        try #require(chmod(folder.path("d"), 0o555) == 0 && chmod(folder.url.path, 0o777) == 0)
        defer { chmod(folder.path("d"), 0o755) }
        let unprivileged = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        let line = "ls -l --time-style=full-iso d; \(unprivileged)\"\(Tool.debug.path)\" generate --check d"
        let first = try Tool.debug.shell(line, in: folder)
        #expect(first.errors == Self.fine && first.status == 0)
        #expect(try Tool.debug.shell(line, in: folder).output == first.output)
    }

    @Test("a check reports unreadable datasets as an error, not as a difference")
    func unreadable() throws {
        try make()
        try FileManager.default.removeItem(atPath: folder.path("d/Boss.csv"))
        try FileManager.default.createDirectory(atPath: folder.path("d/Boss.csv"), withIntermediateDirectories: false)
        try expect("", 66, "d/Boss.csv: cannot be read: Is a directory\n")
    }
}
