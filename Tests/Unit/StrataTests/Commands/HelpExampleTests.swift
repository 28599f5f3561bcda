import Foundation
import Testing

@testable import strata

/// Tests that the examples of the help and the manual work verbatim on generated data.
@Suite("Examples of the help")
struct HelpExampleTests {
    private let folder = TemporaryFolder()

    /// Runs a shell line in the folder, which is also its home.
    private func shell(_ line: String) throws -> Tool.Result {
        // Pagers wait for a key.
        let viewers = "HOME=$PWD; man() { cat; }; less() { cat; }; "
        return try Tool.debug.shell("set -eo pipefail; " + viewers + line, in: folder)
    }

    /// The inputs of the examples: datasets of each entity, a description of fixtures and a store; created once.
    private static let data = Result {
        let folder = TemporaryFolder()
        let lines = [
            "strata generate -q --model reference --seed 7 --count Employee=60,Boss=20,Color=40,Item=20 --output data",
            "mkdir -p usr/local/share/man/man1 .github/workflows .zfunc .config/fish/completions",
            "mkdir -p .local/share/bash-completion/completions",
            "cp data/Color.csv colors.csv; cp data/Item.csv prices.csv; cp data/Employee.csv employees.csv",
            "echo '{\"colors\": [{\"color\": \"cloudy blue\", \"hex\": \"#acc2d9\"}]}' > xkcd.json",
            "printf 'firstName,lastName,salary\\nAda,Ito,1.50\\nBob,Ito,much\\n' > staff.csv",
            "printf 'code\\nx\\n' > places.csv; printf 'name,city_code\\nAnna,b\\n' > people.csv; printf 'code\\nb\\n' > cities.csv",
            "echo '{\"resources\": [{\"name\": \"places\", \"path\": \"places.csv\", \"schema\": {\"fields\": [{\"name\": \"code\"}]}}]}' > datapackage.json",
            "strata generate -q --model reference --describe > fixtures.json", "cp -r data fixtures",
            "strata import -q data/ --model reference --store a.sqlite",
            "strata model show reference --format json > shop.json",
            #"sed 's/{"name": "salary"/{"name": "phone", "type": "string"}, &/' shop.json > app-2.json; cp app-2.json shop-2.json"#,
            "strata copy -q --store a.sqlite --to old.sqlite; strata metadata --store a.sqlite --set customer=Ada",
            "strata copy -q --store a.sqlite --to tracked.sqlite; strata history -q --store tracked.sqlite --enable changes",
            #"sed '/"name": "salary"/d' shop.json > app-3.json; printf 'number,total\n1,2.50\n' > orders.csv"#,
            #"printf 'id,sold,note\n1,02/01/2024,x\n' > sales.csv; cp sales.csv sales-1.csv; printf 'id,sold\n2,2024-01-03\n' > sales-2.csv"#,
        ]
        let result = try Tool.debug.shell("set -e; " + lines.joined(separator: "; "), in: folder)
        try #require(result.status == 0, "\(result.errors)")
        return folder
    }

    private func prepare(for line: String) throws {
        // The store exists if the line names an entity of it, or reads it.
        let isFilled =
            line.hasPrefix("strata import") && line.contains("--entity") || line.contains("--model app.sqlite")
            || !["import", "generate"].contains { line.hasPrefix("strata \($0)") }
        let copied = try shell(
            "cp -r '\(try Self.data.get().url.path)'/. .; " + (isFilled ? "cp a.sqlite app.sqlite" : "true"))
        try #require(copied.status == 0, "\(copied.errors)")
        // The code that the line compares was generated before.
        if line.contains("model swift"), line.hasSuffix(" --check") {
            try #require(try shell("\(line.dropLast(" --check".count)) --quiet").status == 0)
        }
        // The backup that the line restores was created before.
        if line.contains("--store backup.sqlite") {
            try #require(try shell("strata copy -q --store a.sqlite --to backup.sqlite").status == 0)
        }
    }

    @Test(
        "every example in the help of every command succeeds",
        arguments: Strata.program.commands.flatMap(\.examples))
    func example(_ line: String) throws {
        try prepare(for: line)
        let result = try shell(line.replacing("/usr/local", with: "usr/local"))
        // The example with --rejects has a bad record.
        #expect(result.status == (line.contains("--rejects") ? ExitCode.badData : 0), "\(line): \(result.errors)")
        #expect(!result.errors.contains("strata: "), "\(line): \(result.errors)")
    }

    @Test(
        "every predicate of the manual is valid and prints no message",
        arguments: ManualPage.predicateExamples)
    func predicate(_ text: String) throws {
        try prepare(for: "strata show")
        let entity = text.contains("employees") ? "Boss" : "Employee"
        let result = try Tool.debug.run(
            ["show", "--entity", entity, "--store", "app.sqlite", "--where", text], in: folder)
        #expect(result.status == 0 && result.errors.isEmpty, "\(result.errors)")
    }
}
