import Foundation
import StrataTestSupport
import Testing

@Suite("Descriptions that generate reads and prints")
struct GenerateDescriptionTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.shell("strata generate \(line)", in: folder)
    }

    @Test(
        "the output of --describe is read back as the same description",
        arguments: Seeds.spread(
            3,
            of: [
                "", "--seed 7", "--count Employee=5,Boss=1", "--hostile", "--reference-date 2020-02-29T23:59:59Z",
                "--seed 18446744073709551615 --count Color=0 --hostile --dataset-version 1",
            ]))
    func roundTrip(options: String) throws {
        let described = try strata("--describe \(options)")
        #expect(described.status == 0 && described.errors == "")
        #expect(try strata("--describe \(options) -o d.json").output == "")
        #expect(try folder.text("d.json") == described.output)
        #expect(try strata("--describe --description d.json").output == described.output)
        try strata("-o one \(options) -q; strata generate --description d.json -o two -q").expect(status: 0)
        #expect(try Tool.reference.shell("diff -r one two", in: folder).output == "")
        try strata("--check one --description d.json").expect(status: 0)
    }

    @Test("--describe prints every property of a description, including the defaults")
    func defaults() throws {
        let text = try strata("--describe").output
        for part in [
            "\"datasetVersion\": 1,", "\"seed\": 42,", "\"referenceDate\": \"2025-01-01T00:00:00Z\",",
            "\"hostile\": 0,",
            "\"count\": 1000,", "\"count\": 500,", "\"count\": 200,", "\"count\": 20,", "\"median\": 52000,",
            "\"weekdays\": [", "\"dependsOn\": [",
        ] {
            #expect(text.contains(part), "\(part)")
        }
    }

    @Test("a description file may contain only differences from the defaults, and options override the file")
    func partial() throws {
        try folder.write("{}", to: "empty.json")
        #expect(try strata("--describe --description empty.json").output == (try strata("--describe").output))
        let description = "{\"seed\": 5, \"hostile\": 0.05, \"entities\": {\"Employee\": {\"count\": 3}, \"Boss\": {}}}"
        try folder.write("\u{FEFF}\(description)", to: "d.json")
        let text = try strata("--describe --description d.json --hostile").output
        #expect(text == (try strata("--describe --description d.json").output))
        #expect(text.contains("\"seed\": 5,") && text.contains("\"hostile\": 0.05,"))
        #expect(!text.contains("Color") && text.contains("\"count\": 20,"))
        let changed = try strata("--describe --description d.json --seed 6 --count boss=2").output
        #expect(
            changed
                == text.replacingOccurrences(of: "\"seed\": 5,", with: "\"seed\": 6,")
                .replacingOccurrences(of: "\"count\": 20,", with: "\"count\": 2,"))
        let unknown = try strata("--description d.json --count Color=1 -o new")
        #expect(
            unknown.errors
                == "strata: option --count: no entity \"Color\" is described. There are Boss, Employee.\n"
                + "Run 'strata help generate' for usage.\n")
        unknown.expect(status: 64)
    }

    @Test("an explicit zero share of nulls or missing references is preserved by --describe")
    func nothing() throws {
        let usual =
            ##"{"entities": {"Color": {"attributes": {"name": {"kind": "colorName", "nulls": 0}}}, "##
            + ##""Employee": {"attributes": {"boss": {"reference": {"without": 0}}}}, "Boss": {}}}"##
        try folder.write(usual, to: "d.json")
        #expect(try strata("--description d.json -o d -q").errors == "")
        let described = try strata("--describe --description d.json -o e.json; cat e.json").output
        #expect(described.contains("\"nulls\": 0"))
        #expect(try strata("--describe --description e.json").output == described)
        for description in ["", "--description d.json", "--description e.json"] {
            try strata("--check d \(description)").expect(status: 0)
        }
        #expect(try !folder.text("d/Color.csv").contains(",,"))
        #expect(try !folder.text("d/Employee.csv").contains(",\n"))
    }

    /// Invalid descriptions with the tool's messages.
    static let wrong: [(description: String, message: String)] = [
        ("", ":1:1: the document ends where a value is expected"),
        ("no JSON", ":1:1: this is not the beginning of a JSON value"),
        ("{} {}", ":1:4: there is more text after the document"),
        ("[]", ":1:1: an object is expected, not a list"),
        (
            "{\n  \"sed\": 5}",
            ":2:10: the key \"sed\" is unknown; the keys are datasetVersion, seed, referenceDate, locales, hostile, "
                + "entities"
        ),
        ("{\"seed\": 1, \"seed\": 2}", ":1:13: the name \"seed\" occurs twice"),
        ("{\"seed\": -1}", ":1:10: \"seed\" must be a whole number from 0 to 18446744073709551615"),
        ("{\"seed\": 1.5}", ":1:10: \"seed\" must be a whole number from 0 to 18446744073709551615"),
        (
            "{\"hostile\": 1.5}",
            ":1:13: \"hostile\" must be a number from 0 to 1 with at most six digits after the point"
        ),
        (
            "{\"referenceDate\": \"today\"}",
            ":1:19: \"referenceDate\" must be a date such as 2025-01-31, or an instant such as 2025-01-31T12:00:00Z"
        ),
        ("{\"locales\": {}}", ":1:13: \"locales\" must contain a locale with a weight above 0"),
        (
            "{\"entities\": {\n\"Tree\": {}}}",
            ":2:9: the key \"Tree\" is unknown; the keys are Color, Boss, Employee, "
                + "Item"
        ),
        (
            "{\"entities\": {\"Boss\": {\"count\": \"5\"}}}",
            ":1:33: Boss: \"count\" must be a whole number from 0 to 1000000000"
        ),
        (
            "{\"entities\": {\"Boss\": {\n \"attributes\": {\"age\": {}}}}}",
            ":2:24: Boss: the key \"age\" is unknown; the keys are firstName, lastName"
        ),
        (
            "{\"entities\": {\"Boss\": {\"attributes\":\n{\"firstName\": {\"nulls\": 0.5}}}}}",
            ":2:25: Boss.firstName: the attribute is mandatory in the model"
        ),
        (
            "{\"entities\": {\"Employee\": {\"attributes\": {\"salary\": {\"uniform\": {\"minimum\": 9, \"maximum\": 3}}}}}}",
            ":1:65: Employee.salary: the minimum 9 is more than the maximum 3"
        ),
    ]

    @Test("an error in a description is reported with line and column, and nothing is written", arguments: wrong)
    func located(description: String, message: String) throws {
        try folder.write(description, to: "d.json")
        for target in ["-o new", "-o new.csv", "--store new", "--describe", "--describe -o new.json", "--check d"] {
            let result = try strata("--description d.json \(target)")
            #expect(result.errors == "d.json\(message)\n")
            result.expect(status: 65)
            #expect(result.output == "")
        }
        #expect(try folder.files == ["d.json"])
    }

    /// Descriptions that no dataset can satisfy.
    static let unsatisfiable: [(description: String, message: String)] = [
        (
            #"{"entities": {"Employee": {"attributes": {"salary": {"uniform": {"minimum": 1, "maximum": 10}, "unique": true}}}}}"#,
            "1:53: Employee.salary: 1000 different values were requested, but there are only 10; request fewer rows, "
                + "or more values"
        ),
        (
            #"{"entities": {"Employee": {"count": 10, "attributes": {"boss": {"reference": {"perTarget": [1, 2]}}}}}}"#,
            "1:64: Employee.boss: 0 Boss rows with 1 to 2 each require 0 to 0 Employee rows, but the description gives a reference to 9; "
                + "change a count, "
                + "\"without\" or \"perTarget\""
        ),
    ]

    @Test(
        "a description that no dataset can satisfy is reported and leaves no directory or file",
        arguments: unsatisfiable)
    func impossible(description: String, message: String) throws {
        try folder.write(description, to: "d.json")
        for target in ["-o new/", "-o new.csv", "--store new", "--describe -o new.json", ""] {
            let result = try strata("--description d.json \(target)")
            #expect(result.errors == "d.json:\(message)\n")
            result.expect(status: 65)
        }
        #expect(try folder.files == ["d.json"])
    }

    @Test("an unreadable description exits 66, 77 or 65, and nothing is written")
    func unreadable() throws {
        try FileManager.default.createDirectory(atPath: folder.path("d"), withIntermediateDirectories: false)
        let missing = try strata("--description no.json -o new")
        #expect(missing.errors == "no.json: cannot be read: No such file or directory\n")
        missing.expect(status: 66)
        let directory = try strata("--description d -o new")
        #expect(directory.errors == "d: cannot be read: Is a directory\n")
        directory.expect(status: 66)
        let binary = try strata("--description \"\(Tool.debug.path)\" -o new")
        #expect(binary.errors == "\(Tool.debug.path):1:1: this is not the beginning of a JSON value\n")
        binary.expect(status: 65)
        try folder.write("{}", to: "closed.json")
        try #require(chmod(folder.path("closed.json"), 0) == 0 && chmod(folder.url.path, 0o777) == 0)
        let unprivileged = getuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : ""
        let line = "\(unprivileged)\"\(Tool.debug.path)\" generate --model reference --description closed.json -o new"
        let closed = try Tool.reference.shell(line, in: folder)
        #expect(closed.errors == "closed.json: cannot be read: Permission denied\n")
        closed.expect(status: 77)
        #expect(try folder.files == ["closed.json", "d"])
    }

    @Test("a description of nested brackets or with invalid UTF-8 is rejected")
    func broken() throws {
        try folder.write(String(repeating: "[", count: 1_000_000), to: "d.json")
        let deep = try strata("--description d.json -o new")
        #expect(deep.errors == "d.json:1:65: the document is nested more than 64 levels deep\n")
        deep.expect(status: 65)
        try Data([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D]).write(to: URL(fileURLWithPath: folder.path("d.json")))
        let encoding = try strata("--description d.json -o new")
        #expect(encoding.errors.hasPrefix("d.json:1:") && encoding.errors.count(where: \.isNewline) == 1)
        encoding.expect(status: 65)
        #expect(try folder.files == ["d.json"])
    }

    @Test("a description can be read from a pipe")
    func pipe() throws {
        let line = "strata generate --describe --seed 9 | strata generate --description /dev/stdin --describe"
        #expect(try Tool.reference.shell(line, in: folder).output == (try strata("--describe --seed 9").output))
    }
}
