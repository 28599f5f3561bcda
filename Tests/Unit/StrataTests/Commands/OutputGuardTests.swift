import Foundation
import Testing

/// Tests that the output of a command never replaces its inputs.
@Suite("Protection of inputs from outputs")
struct OutputGuardTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String, input: String? = nil) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder, input: input)
    }

    private static let dataset = "id,firstName,lastName\n1,Ada,Ito\nx,Bo,Ito\n"

    @Test(
        "the report file and the rejects file never replace the store, SQLite's files, a dataset, or each other",
        arguments: [
            ("--report s", "s: the file is a SQLite database"),
            ("--report ./s-wal", "./s-wal: the file belongs to the store"),
            ("--rejects s-journal", "s-journal: the file belongs to the store"),
            ("--rejects link", "link: the file is a SQLite"),
            ("--rejects bosses.csv", "bosses.csv: the file is read by this command"),
            ("--report bosses.csv --on-error reject", "bosses.csv: the file is read by this command"),
            ("--report o --rejects ./o", "./o: the file is another output of this command"),
        ])
    func imports(options: String, message: String) throws {
        try folder.write(Self.dataset, to: "bosses.csv")
        try folder.write("id,firstName,lastName\n7,Cy,Ito\n", to: "before.csv")
        try strata("import before.csv --entity Boss --store s").expect(status: 0)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "s")
        let result = try strata("import bosses.csv --store s \(options)")
        result.expect(status: 73)
        #expect(result.errors.hasPrefix(message), "\(result.errors)")
        #expect(try folder.text("bosses.csv") == Self.dataset)
        #expect(try strata("export --entity Boss --store s --columns id --no-header").output == "7\n")
    }

    @Test(
        "outputs never replace SQLite's files of a store that is named by a link",
        arguments: ["link", "links/second"])
    func storeByLink(store: String) throws {
        try folder.write("id,firstName,lastName\n1,Ada,Ito\n", to: "bosses.csv")
        try strata("import bosses.csv --store s").expect(status: 0)
        try FileManager.default.createDirectory(atPath: folder.path("links"), withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: "s")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("links/second"), withDestinationPath: "../link")
        for command in ["report", "export --entity Boss"] {
            let result = try strata("\(command) --store \(store) --output s-wal")
            result.expect(status: 73)
            #expect(result.errors == "s-wal: the file belongs to the store; choose another output\n")
        }
        let beside = try strata("report --store \(store) --output \(store)-wal")
        beside.expect(status: 0)
    }

    @Test("a report cannot have the name of the store that the import would create")
    func newStore() throws {
        try folder.write(Self.dataset, to: "bosses.csv")
        let result = try strata("import bosses.csv --store new --report new --on-error reject")
        result.expect(status: 73)
        #expect(result.errors == "new: the file is the store; choose another output\n")
        #expect(try folder.files == ["bosses.csv"])
    }

    @Test("the rejects files of an imported directory do not replace the directory's datasets")
    func rejectsOfDirectory() throws {
        try FileManager.default.createDirectory(atPath: folder.path("data"), withIntermediateDirectories: true)
        try folder.write(Self.dataset, to: "data/bosses.csv")
        try folder.write("id,hex,name\n1,#000000,black\n", to: "data/colors.csv")
        let result = try strata("import data --store s --rejects data")
        result.expect(status: 73)
        #expect(try folder.text("data/bosses.csv") == Self.dataset)
    }

    @Test("an export does not write to the file of SQLite's log")
    func export() throws {
        try folder.write("id,firstName,lastName\n1,Ada,Ito\n", to: "bosses.csv")
        try strata("import bosses.csv --store s").expect(status: 0)
        let result = try strata("export --entity Boss --store s --output s-wal")
        result.expect(status: 73)
        #expect(result.errors == "s-wal: the file belongs to the store; choose another output\n")
    }

    @Test("datasets of the same name in two folders get separate rejects files, which can be imported after correction")
    func rejectsOfOneName() throws {
        for name in ["a", "b"] {
            try FileManager.default.createDirectory(atPath: folder.path(name), withIntermediateDirectories: true)
        }
        try folder.write("id,firstName,lastName\nx,Ada,Ito\n", to: "a/bosses.csv")
        try folder.write("id,firstName,lastName\ny,Bo,Ito\n", to: "b/bosses.csv")
        try strata("import a b --store s --rejects rejects").expect(status: 65)
        for (name, letter, number) in [("bosses.csv", "x,", "1,"), ("bosses.2.csv", "y,", "2,")] {
            let text = try folder.text("rejects/\(name)")
            try folder.write(text.replacing("\n\(letter)", with: "\n\(number)"), to: "rejects/\(name)")
        }
        try strata("import rejects --store s").expect(status: 0)
        #expect(try strata("export --entity Boss --store s --no-header").output == "1,Ada,Ito\n2,Bo,Ito\n")
    }

    @Test("--rejects - writes the rejected records to standard output")
    func dash() throws {
        try folder.write(Self.dataset, to: "bosses.csv")
        let result = try strata("validate bosses.csv --rejects -")
        #expect(result.output.hasSuffix("\nx,Bo,Ito\n"), "\(result.output)")
        #expect(try folder.files == ["bosses.csv"])
    }
}
