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
        ("", "standard output takes one entity, and 4 are described; \(nameOne)"),
        ("-o all.csv", "\"all.csv\" takes one entity, and 4 are described; \(nameOne)"),
        ("-o -", "standard output takes one entity, and 4 are described; \(nameOne)"),
        ("--count 3", "option --count: say which entity, as in Employee=3, or name it with --entity"),
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
        ("--count Boss=1,boss=2", "option --count: Boss is there twice"),
        ("--count Boss=1 --count BOSS=2", "option --count: Boss is there twice"),
        ("--entity boss --count 1,2", "option --count: Boss is there twice"),
        ("--entity boss --count Boss=1,2", "option --count: Boss is there twice"),
        ("--entity tree", "there is no entity \"tree\". The entities are Color, Boss, Employee, Item."),
        (
            "--entity boss --count Employee=2",
            "option --entity: Boss is not among what is described (Employee); describe it too, as with --count Boss=100"
        ),
        (
            "--entity boss -o new/",
            "--entity writes one file, and \"new/\" is a directory; name a file, or say with --count which entities the directory gets"
        ),
        (
            "--entity boss -o .",
            "--entity writes one file, and \".\" is a directory; name a file, or say with --count which entities the directory gets"
        ),
        ("--seed -1", "option --seed: \"-1\" is not a whole number from 0 to 18446744073709551615"),
        ("--seed abc", "option --seed: \"abc\" is not a whole number from 0 to 18446744073709551615"),
        (
            "--seed 18446744073709551616",
            "option --seed: \"18446744073709551616\" is not a whole number from 0 to 18446744073709551615"
        ),
        (
            "--dataset-version 2",
            "option --dataset-version: there is no version 2; the newest that this program makes is 1"
        ),
        (
            "--dataset-version 0",
            "option --dataset-version: \"0\" is not a whole number from 1 to 9223372036854775807"
        ),
        (
            "--reference-date 2025-02-29",
            "option --reference-date: \"2025-02-29\" is no date such as 2025-01-31, or instant such as 2025-01-31T12:00:00Z"
        ),
        ("--entity boss --threads 0", "option --threads: \"0\" is not a whole number from 1 to 64"),
        ("--entity boss --threads 65", "option --threads: \"65\" is not a whole number from 1 to 64"),
        ("-o new --threads two", "option --threads: \"two\" is not a whole number from 1 to 64"),
        ("-o new --format xml", "option --format: \"xml\" is none of csv, tsv, json, ndjson"),
        ("-o ''", "option --output is empty; name a file or a directory"),
        ("--store ''", "option --store is empty; name a file"),
        ("--check ''", "option --check is empty; name a directory"),
        ("--description ''", "option --description is empty; name a file"),
        ("surplus", "surplus argument \"surplus\""),
        ("--bosses 5", "unknown option --bosses"),
    ]

    private static let nameOne = "name a directory with --output, or one of them with --entity"

    /// Options that exclude each other or that have no effect.
    static let combinations: [(line: String, message: String)] = [
        ("--store s -o new", "--store and --output exclude each other"),
        ("--check d -o new", "--check and --output exclude each other"),
        ("--check d --store s", "--check and --store exclude each other"),
        ("--check d --describe", "--check and --describe exclude each other"),
        ("--describe --store s", "--describe and --store exclude each other"),
        ("--store s --format csv", "--format has no use with --store"),
        ("--store s --entity boss", "--entity has no use with --store"),
        ("--store s --threads 2", "--threads has no use with --store"),
        ("--store s --busy-timeout 3601", "option --busy-timeout: \"3601\" is not a whole number from 0 to 3600"),
        ("--check d --format csv", "--format has no use with --check"),
        ("--check d --entity boss", "--entity has no use with --check"),
        ("--check d --busy-timeout 1", "--busy-timeout has no use with --check"),
        ("--describe --format csv", "--format has no use with --describe"),
        ("--describe --entity boss", "--entity has no use with --describe"),
        ("--describe --threads 2", "--threads has no use with --describe"),
        ("--describe --busy-timeout 1", "--busy-timeout has no use with --describe"),
        ("--entity boss --busy-timeout 1", "--busy-timeout has no use without --store"),
        ("-o new --busy-timeout 1", "--busy-timeout has no use without --store"),
        ("--workflow a/b@c", "--workflow requires --check DIR, which the workflow runs"),
        ("--check d --workflow a/b", workflow("a/b")),
        ("--check d --workflow b@c", workflow("b@c")),
        ("--check d --workflow a/b@", workflow("a/b@")),
        ("--check d --workflow a/b@c@d", workflow("a/b@c@d")),
        ("--check d --workflow 'a/b@c d'", workflow("a/b@c d")),
        (
            "--check d --workflow a/b@c --seed 1",
            "--seed has no use with --workflow; say it in the description"
        ),
        (
            "--check d --workflow a/b@c --hostile",
            "--hostile has no use with --workflow; say it in the description"
        ),
        (
            "--check d --workflow a/b@c --count Boss=1",
            "--count has no use with --workflow; say it in the description"
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
                == "d.json:1:20: there is no dataset version 2; this program makes versions up to 1\n")
        result.expect(status: 65)
        #expect(try folder.files == ["d.json"])
    }
}
