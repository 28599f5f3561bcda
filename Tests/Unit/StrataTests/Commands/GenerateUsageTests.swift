import Foundation
import Testing

@Suite("Invalid command lines of generate")
struct GenerateUsageTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String) throws -> Tool.Result {
        try Tool.reference.shell("strata generate \(line)", in: folder)
    }

    private static let notCount = "is not NAME=N with a whole number from 0 to 1000000000"

    /// The arguments of `generate` with the first line of the message.
    static let refused: [(line: String, message: String)] = [
        ("", "standard output can contain only one entity, but the description has 4; \(nameOne)"),
        ("-o all.csv", "\"all.csv\" can contain only one entity, but the description has 4; \(nameOne)"),
        ("-o -", "standard output can contain only one entity, but the description has 4; \(nameOne)"),
        ("--count 3", "option --count: name the entity, as in Employee=3, or name it with --entity"),
        ("--count ''", "option --count: \"\" \(notCount)"),
        ("--count ,", "option --count: \"\" \(notCount)"),
        ("--count Boss=1,", "option --count: \"\" \(notCount)"),
        ("--count Employee=", "option --count: \"Employee=\" \(notCount)"),
        ("--count Employee=x", "option --count: \"Employee=x\" \(notCount)"),
        ("--count Employee=1=2", "option --count: \"Employee=1=2\" \(notCount)"),
        ("--count Employee=-1", "option --count: \"Employee=-1\" \(notCount)"),
        ("--count Employee=1.5", "option --count: \"Employee=1.5\" \(notCount)"),
        ("--count Employee=1000000001", "option --count: \"Employee=1000000001\" \(notCount)"),
        (
            "--count Employee=99999999999999999999",
            "option --count: \"Employee=99999999999999999999\" \(notCount)"
        ),
        ("--count =5", "option --count: no entity \"\" is described. There are Color, Boss, Employee, Item."),
        ("--count Tree=5", "option --count: no entity \"Tree\" is described. There are Color, Boss, Employee, Item."),
        (
            "--count Employe=5",
            "option --count: no entity \"Employe\" is described; did you mean Employee? There are Color, Boss, Employee, "
                + "Item."
        ),
        ("--count Boss=1,boss=2", "option --count: Boss is given twice"),
        ("--count Boss=1 --count BOSS=2", "option --count: Boss is given twice"),
        ("--entity boss --count 1,2", "option --count: Boss is given twice"),
        ("--entity boss --count Boss=1,2", "option --count: Boss is given twice"),
        ("--entity tree", "there is no entity \"tree\". The entities are Color, Boss, Employee, Item."),
        (
            "--entity boss --count Employee=2",
            "option --entity: Boss is not in the description (Employee); add the entity, as with --count Boss=100"
        ),
        (
            "--entity boss -o new/",
            "--entity writes one file, but \"new/\" is a directory; name a file, or choose the entities of the "
                + "directory with --count"
        ),
        (
            "--entity boss -o .",
            "--entity writes one file, but \".\" is a directory; name a file, or choose the entities of the directory "
                + "with --count"
        ),
        ("--seed -1", "option --seed: \"-1\" is not a whole number from 0 to 18446744073709551615"),
        ("--seed abc", "option --seed: \"abc\" is not a whole number from 0 to 18446744073709551615"),
        (
            "--seed 18446744073709551616",
            "option --seed: \"18446744073709551616\" is not a whole number from 0 to 18446744073709551615"
        ),
        (
            "--dataset-version 2",
            "option --dataset-version: version 2 does not exist; the newest supported version is 1"
        ),
        (
            "--dataset-version 0",
            "option --dataset-version: \"0\" is not a whole number from 1 to 9223372036854775807"
        ),
        (
            "--reference-date 2025-02-29",
            "option --reference-date: \"2025-02-29\" is neither a date such as 2025-01-31 nor an instant such as "
                + "2025-01-31T12:00:00Z"
        ),
        ("--entity boss --threads 0", "option --threads: \"0\" is not a whole number from 1 to 64"),
        ("--entity boss --threads 65", "option --threads: \"65\" is not a whole number from 1 to 64"),
        ("-o new --threads two", "option --threads: \"two\" is not a whole number from 1 to 64"),
        ("-o new --format xml", "option --format: \"xml\" is not one of csv, tsv, json, ndjson"),
        ("-o ''", "option --output is empty; name a file or a directory"),
        ("--store ''", "option --store is empty; name a file"),
        ("--check ''", "option --check is empty; name a directory"),
        ("--description ''", "option --description is empty; name a file"),
        ("surplus", "unexpected argument \"surplus\""),
        ("--bosses 5", "unknown option --bosses"),
    ]

    private static let nameOne = "name a directory with --output, or one entity with --entity"

    /// Options that exclude each other or that have no effect.
    static let combinations: [(line: String, message: String)] = [
        ("--store s -o new", "--store and --output cannot be combined"),
        ("--check d -o new", "--check and --output cannot be combined"),
        ("--check d --store s", "--check and --store cannot be combined"),
        ("--check d --describe", "--check and --describe cannot be combined"),
        ("--describe --store s", "--describe and --store cannot be combined"),
        ("--store s --format csv", "--format cannot be combined with --store"),
        ("--store s --entity boss", "--entity cannot be combined with --store"),
        ("--store s --threads 2", "--threads cannot be combined with --store"),
        ("--store s --busy-timeout 3601", "option --busy-timeout: \"3601\" is not a whole number from 0 to 3600"),
        ("--check d --format csv", "--format cannot be combined with --check"),
        ("--check d --entity boss", "--entity cannot be combined with --check"),
        ("--check d --busy-timeout 1", "--busy-timeout cannot be combined with --check"),
        ("--describe --format csv", "--format cannot be combined with --describe"),
        ("--describe --entity boss", "--entity cannot be combined with --describe"),
        ("--describe --threads 2", "--threads cannot be combined with --describe"),
        ("--describe --busy-timeout 1", "--busy-timeout cannot be combined with --describe"),
        ("--entity boss --busy-timeout 1", "--busy-timeout requires --store"),
        ("-o new --busy-timeout 1", "--busy-timeout requires --store"),
        ("--workflow a/b@c", "--workflow requires --check DIR, which the workflow runs"),
        ("--check d --workflow a/b", workflow("a/b")),
        ("--check d --workflow b@c", workflow("b@c")),
        ("--check d --workflow a/b@", workflow("a/b@")),
        ("--check d --workflow a/b@c@d", workflow("a/b@c@d")),
        ("--check d --workflow 'a/b@c d'", workflow("a/b@c d")),
        (
            "--check d --workflow a/b@c --seed 1",
            "--seed cannot be combined with --workflow; put the setting into the description"
        ),
        (
            "--check d --workflow a/b@c --hostile",
            "--hostile cannot be combined with --workflow; put the setting into the description"
        ),
        (
            "--check d --workflow a/b@c --count Boss=1",
            "--count cannot be combined with --workflow; put the setting into the description"
        ),
    ]

    private static func workflow(_ text: String) -> String {
        "option --workflow: \"\(text)\" is not OWNER/REPO@REF, as in acme/strata@main"
    }

    @Test("a usage error shows the correct command line and writes nothing", arguments: refused + combinations)
    func usage(line: String, message: String) throws {
        let result = try strata(line)
        #expect(result.errors == "strata: \(message)\nRun 'strata help generate' for usage.\n")
        result.expect(status: 64)
        #expect(result.output == "")
        #expect(try folder.files == [])
    }

    @Test("a description of another version than the requested version is rejected")
    func version() throws {
        try folder.write("{\"datasetVersion\": 1}", to: "d.json")
        try strata("--description d.json --dataset-version 1 --describe").expect(status: 0)
        try folder.write("{\"datasetVersion\": 2}", to: "d.json")
        let result = try strata("--description d.json -o new")
        #expect(
            result.errors
                == "d.json:1:20: dataset version 2 does not exist; this program supports versions up to 1\n")
        result.expect(status: 65)
        #expect(try folder.files == ["d.json"])
    }
}
