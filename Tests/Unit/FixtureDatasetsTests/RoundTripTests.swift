import Foundation
import StrataDomain
import StrataFixtureDatasets
import StrataFixtures
import StrataInterchange
import StrataPersistence
import StrataReferenceFixtures
import StrataRepositories
import StrataTestSupport
import StrataTesting
import Testing

@Suite("Round trips of generated datasets")
struct RoundTripTests {
    enum Target: CaseIterable { case memory, sqlite }

    /// Every format, plain and hostile, for both kinds of stores.
    ///
    /// The first eight cases contain each combination of format and hostility for one kind of store.
    static let cases: [(DatasetFormat, Bool, Target)] = [false, true].flatMap { isOther in
        DatasetFormat.allCases.enumerated().flatMap { number, format in
            [false, true].map { isHostile in
                (format, isHostile, (number % 2 == 0) == (isHostile == isOther) ? .sqlite : .memory)
            }
        }
    }

    private let folder: Folder
    init() throws { folder = try Folder() }

    private func container(_ target: Target, _ name: String = "store") throws -> PersistentContainer {
        let model = try ReferenceModel.model()
        switch target {
        case .memory: return try PersistentContainer.inMemory(model: model)
        case .sqlite:
            return try PersistentContainer(
                model: model, .sqlite(at: URL(fileURLWithPath: "\(folder.path)/\(name).sqlite")), mainQueue: .private)
        }
    }

    private func importAll(_ directory: String, _ container: PersistentContainer) throws {
        let found = try DatasetDirectory(path: directory, model: container.model)
        let sources = try found.files.map { file in
            ImportSource(
                entity: file.entity, input: try ByteInput(path: file.path), reading: ReadingOptions(format: file.format)
            )
        }
        _ = try DatasetImporter(container: container, options: ImportOptions(format: .csv)).run(sources)
    }

    @Test("generated files are imported and exported unchanged", arguments: Seeds.first(2, of: cases))
    func files(format: DatasetFormat, isHostile: Bool, target: Target) throws {
        let dataset = try FixtureDataset.reference(seed: 7, counts: severalParts, isHostile: isHostile)
        try dataset.write(to: "\(folder.path)/made", options: ExportOptions(format: format))
        let container = try container(target)
        defer { try? container.close() }
        try importAll("\(folder.path)/made", container)
        let exporter = try DirectoryExporter(store: container.coordinator.store, options: ExportOptions(format: format))
        _ = try exporter.run(to: "\(folder.path)/back")
        for entity in container.model.entities {
            let name = "\(entity.name).\(format.rawValue)"
            #expect(try folder.bytes("made/\(name)") == folder.bytes("back/\(name)"), "\(name)")
        }
    }

    @Test(
        "a store that is filled directly exports the same bytes as the generated files", arguments: Target.allCases,
        [false, true])
    func store(target: Target, isHostile: Bool) throws {
        let dataset = try FixtureDataset.reference(seed: 8, counts: severalParts, isHostile: isHostile)
        let container = try container(target)
        defer { try? container.close() }
        let counts = try dataset.store(in: container)
        #expect(counts == severalParts)
        for entity in container.model.entities {
            let output = ByteOutput.memory()
            let exporter = DatasetExporter(store: container.coordinator.store, format: .csv)
            try exporter.run(StoreRequest(entity.name), to: output)
            #expect(try output.bytes == dataset.bytes(of: entity.name, .csv), "\(entity.name)")
        }
    }

    @Test("the records that Fixtures returns equal the records in a generated store", arguments: [false, true])
    func values(isHostile: Bool) throws {
        let dataset = try FixtureDataset.reference(seed: 9, counts: severalParts, isHostile: isHostile)
        let container = try container(.memory)
        defer { try? container.close() }
        try dataset.store(in: container)
        let fixtures = try Fixtures(dataset.description)
        let stored = try container.backgroundContext.performAndWait { context in
            (
                try context.all(Color.self), try context.all(Boss.self), try context.all(Employee.self),
                try context.all(Item.self)
            )
        }
        #expect(try stored.0 == fixtures.colors())
        #expect(try stored.1 == fixtures.bosses())
        #expect(try stored.2 == fixtures.employees())
        #expect(try stored.3 == fixtures.items())
    }
}

extension ConfinedContext {
    /// Returns all records of a type, by identifier.
    fileprivate func all<Record: PersistentRecord>(_ type: Record.Type) throws -> [Record] {
        try fetch(FetchRequest<Record>()).map(\.record)
    }
}
