import Foundation
import StrataTestSupport
import Testing

@Suite("Long arguments and ambiguous file names")
struct LongArgumentTests {
    private let folder = TemporaryFolder()

    /// The beginnings of command lines whose next argument is long.
    private static let beginnings: [[String]] = [
        ["export", "--store", "s", "--entity"], ["export", "--store", "s", "--entity", "boss", "--where"],
        ["export", "--store", "s", "--entity", "boss", "--columns"], ["info", "--store"], ["info"], ["help"], [],
        ["import", "--store", "s"], ["import", "b.csv", "--entity", "boss", "--store", "s", "--map"],
        ["generate", "--count"], ["validate", "b.csv", "--entity", "boss", "--null", "x", "--delimiter"],
        ["export", "--store", "s", "--entity", "boss", "--sort"],
        ["export", "--store", "s", "--entity", "boss", "--format"],
    ]

    @Test(
        "a message contains only the beginning of a long argument",
        arguments: Seeds.spread(5, of: beginnings))
    func cut(words: [String]) throws {
        try folder.write("firstName,lastName\na,b\n", to: "b.csv")
        try Tool.reference.run(["import", "b.csv", "--entity", "boss", "--store", "s"], in: folder).expect(status: 0)
        for isAttached in [false, true] {
            guard !isAttached || words.last?.hasPrefix("--") == true else { continue }
            let long = String(repeating: "xy", count: 50_000)
            let arguments = isAttached ? words.dropLast() + [(words.last ?? "") + "=" + long] : words + [long]
            let result = try Tool.reference.run(Array(arguments), in: folder)
            #expect(result.status != 0 && result.status != 70)
            #expect(result.errors.utf8.count < 10_000, "\(result.errors.utf8.count)")
            #expect(result.errors.contains("xyxy"))
        }
    }

    @Test(
        "a missing file is reported before its extension is checked",
        arguments: ["nothere.csv", "nothere.xyz", "nothere"])
    func notThere(name: String) throws {
        for command in ["import \(name) --store s", "validate \(name)"] {
            let result = try Tool.reference.run(command.split(separator: " ").map(String.init), in: folder)
            result.expect(status: 66)
            #expect(result.errors == "\(name): cannot be read: No such file or directory\n")
        }
        try folder.write("a\n", to: name)
        let result = try Tool.debug.run(["import", name, "--store", "s"], in: folder)
        // A table needs no model, and a file without an extension is read as a table.
        #expect(result.status == (name.hasSuffix(".xyz") ? 64 : 0))
    }

    @Test("an output without an extension is written as CSV, and --format permits any extension")
    func endings() throws {
        try folder.write("firstName,lastName\na,b\n", to: "b.csv")
        try Tool.reference.run(["import", "b.csv", "--entity", "boss", "--store", "s"], in: folder).expect(status: 0)
        for (name, options, status) in [
            ("out", [], 0), ("out.", [], 0), (".out", [], 0), ("out.ods", [], 64), ("out.v2", ["--format", "tsv"], 0),
            ("out.CSV", [], 0),
            ("out.2020-01-01", [], 64),
        ] as [(String, [String], Int32)] {
            let result = try Tool.reference.run(
                ["export", "--entity", "boss", "--store", "s", "-o", name] + options, in: folder)
            #expect(result.status == status, "\(name): \(result.errors)")
            #expect(try folder.files.contains(name) == (status == 0))
        }
    }

    @Test("validate without a store counts references as not checked, not as null")
    func references() throws {
        try folder.write("firstName,lastName,salary,boss\na,b,1,7\nc,d,2,\ne,f,2,8\n", to: "e.csv")
        let result = try Tool.reference.run(["validate", "e.csv", "--entity", "employee"], in: folder)
        result.expect(status: 0)
        #expect(result.errors == "would import 3 Employee records (2 references not checked) from e.csv\n")
        let null = try Tool.reference.run(
            ["validate", "e.csv", "--entity", "employee", "--on-missing-reference", "null"], in: folder)
        #expect(null.errors == "would import 3 Employee records (2 references made null) from e.csv\n")
    }

    @Test("an error about a lock timeout names the duration and the option that extends it", .needs("sqlite3"))
    func locked() throws {
        try folder.write("firstName,lastName\na,b\n", to: "b.csv")
        try Tool.reference.run(["import", "b.csv", "--entity", "boss", "--store", "s"], in: folder).expect(status: 0)
        let line =
            "sqlite3 s 'BEGIN IMMEDIATE' '.shell \"\(Tool.debug.path)\" import b.csv --entity boss --store s --busy-timeout 1 2>&1'"
        let result = try Tool.reference.shell(line, in: folder)
        #expect(
            result.output.contains(
                "locked for longer than 1 second; try again, or wait longer with --busy-timeout SECONDS\n"),
            "\(result.output) \(result.errors)")
    }
}
