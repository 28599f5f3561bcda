import Foundation
import StrataTestSupport
import Testing

/// Tests that a directory with files of two exports, or with a changed file, is never imported as a whole dataset.
@Suite("Directories that differ from their manifest", .faultsSystemCalls)
struct MixedDirectoryTests {
    private let folder = TemporaryFolder()

    private func strata(_ line: String, faults: SystemFaults = SystemFaults()) throws -> Tool.Result {
        try Tool.reference.run(line.split(separator: " ").map(String.init), in: folder, faults: faults)
    }

    private static let generating =
        "generate --seed 3 --count Employee=30,Boss=4,Color=5,Item=6 --reference-date 2020-01-01"

    /// Creates a store of generated rows and exports it into `b`, which has the same number of other rows before.
    private func prepare() throws {
        try strata("\(Self.generating) --output made").expect(status: 0)
        try strata("import made --store s").expect(status: 0)
        try strata("export --all --store s --output b").expect(status: 0)
        for (entity, attribute) in [
            ("Color", "name"), ("Boss", "lastName"), ("Employee", "lastName"), ("Item", "name"),
        ] {
            try strata("update --entity \(entity) --set \(attribute)='x' --all --store s").expect(status: 0)
        }
    }

    /// Expects that an import of `b` stores a single state or is rejected.
    private func expectNeverMixed(_ place: String) throws {
        let importing = try strata("import b --store new")
        guard importing.status == 0 else {
            #expect(importing.status == 65 || importing.status == 66, "\(place): \(importing.errors)")
            #expect(try !folder.files.contains("new"), "\(place)")
            return
        }
        let colors = try strata("export --entity Color --columns name --store new --no-header").output
        let items = try strata("export --entity Item --columns name --store new --no-header").output
        #expect(colors.hasPrefix("x\n") == items.hasPrefix("x\n"), "\(place)")
        try FileManager.default.removeItem(atPath: folder.path("new"))
    }

    /// The count of renames in an export of all entities: the manifest and four entities.
    private static let renames = 5

    @Test(
        "export --all killed before a rename leaves one consistent state or a directory that an import rejects",
        arguments: Seeds.spread(3, of: 1...renames))
    func killedBetweenRenames(number: Int) throws {
        try prepare()
        let killed = try strata(
            "export --all --store s --output b",
            faults: SystemFaults(.init(call: .rename, number: number, effect: .kills)))
        killed.expect(status: 128 + SIGKILL)
        try expectNeverMixed("rename \(number)")
        try strata("export --all --store s --output b").expect(status: 0)
        try strata("import b --store new").expect(status: 0)
    }

    @Test(
        "export --all with a failed rename reports the replaced files, and never leaves mixed files importable",
        arguments: Seeds.spread(3, of: 1...renames))
    func failedRename(number: Int) throws {
        try prepare()
        let failed = try strata(
            "export --all --store s --output b",
            faults: SystemFaults(.init(call: .rename, number: number, effect: .fails(EIO))))
        failed.expect(status: 74)
        let hint = "; \(number - 1) of 5 files in b were already replaced; write the directory again"
        #expect(failed.errors.hasSuffix(number == 1 ? "Input/output error\n" : hint + "\n"), "\(failed.errors)")
        try expectNeverMixed("rename \(number)")
    }

    @Test("an import rejects the directory of a first export that was killed before any of its renames")
    func killedFirstExport() throws {
        try prepare()
        for number in 1...Self.renames {
            let killed = try strata(
                "export --all --store s --output b\(number)",
                faults: SystemFaults(.unnamedFiles, .init(call: .rename, number: number, effect: .kills)))
            killed.expect(status: 128 + SIGKILL)
            let importing = try strata("import b\(number) --store new")
            importing.expect(status: 66)
            #expect(try !folder.files.contains("new"))
        }
    }

    @Test("generate --check detects the files of a killed generate", arguments: 1...renames)
    func killedGenerate(number: Int) throws {
        try strata("\(Self.generating) --output made").expect(status: 0)
        let killed = try strata(
            Self.generating.replacing("--seed 3", with: "--seed 4") + " --output made",
            faults: SystemFaults(.init(call: .rename, number: number, effect: .kills)))
        killed.expect(status: 128 + SIGKILL)
        let checked = try strata("generate --check made")
        #expect(checked.status == (number == 1 ? 0 : 65), "\(checked.errors)")
    }

    @Test(
        "export --all and generate synchronize every file before the first rename",
        arguments: ["export --all --store s", generating])
    func order(line: String) throws {
        try prepare()
        let result = try strata("\(line) --output out", faults: SystemFaults(log: "log"))
        result.expect(status: 0)
        let calls = try folder.text("log").split(separator: "\n").filter { $0.contains("/out") || $0.contains(" out") }
        // An unnamed file is linked to its target if the target does not exist; a named one is renamed.
        func isNaming(_ call: Substring) -> Bool { call.hasPrefix("rename ") || call.hasPrefix("link ") }
        let firstRename = try #require(calls.firstIndex(where: isNaming))
        #expect(calls[..<firstRename].count { $0.hasPrefix("fsync ") } == Self.renames)
        #expect(calls[firstRename].hasSuffix("/manifest.json"))
        // No call that needs space or may be denied occurs between the renames.
        let between = calls[firstRename...].filter { !isNaming($0) }
        #expect(between.allSatisfy { $0 == "fsync \(folder.url.path)/out" }, "\(between)")
        #expect(calls.last?.hasPrefix("fsync ") == true)
    }

    @Test(
        "a failed write or fsync of any exported file leaves the directory unchanged",
        arguments: [SystemFaults.Call.write, .fsync])
    func nothingReplaced(call: SystemFaults.Call) throws {
        try prepare()
        let before = try folder.data("b/Color.csv")
        for name in ["Color", "Boss", "Employee", "Item", "manifest"] {
            let failed = try strata(
                "export --all --store s --output b",
                faults: SystemFaults(
                    .unnamedFiles, .init(call: call, path: "/.\(name).", effect: .fails(ENOSPC))))
            failed.expect(status: 74)
            #expect(failed.errors.hasSuffix("cannot be written: No space left on device\n"), "\(failed.errors)")
            #expect(try folder.data("b/Color.csv") == before)
        }
        try strata("import b --store new").expect(status: 0)
    }
}
