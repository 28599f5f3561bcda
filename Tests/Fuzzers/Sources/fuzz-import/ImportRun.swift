import FuzzSupport
import StrataInterchange
import StrataPersistence
import StrataStoreKit

/// One import into a separate store, with all events.
struct ImportRun {
    private(set) var events: [String] = []
    private let entity: String
    private let container: PersistentContainer
    private var store: any PersistentStore { container.coordinator.store }

    init(_ entity: String, _ file: [UInt8], _ options: ImportOptions, blockSize: Int) {
        self.entity = entity
        do {
            container = try PersistentContainer(model: Self.model, .inMemory, mainQueue: .private)
            var problems: [String] = []
            var options = options
            options.onProblem = { problems.append("\($0.error) \($0.original)") }
            do {
                let importer = try DatasetImporter(entity: entity, container: container, options: options)
                let summary = try importer.run(ByteInput(bytes: file, name: "f", blockSize: blockSize))
                let counts = summary.files[0].counts
                check(summary.rejected == problems.count, "\(summary.rejected) rejected, \(problems.count) reported")
                check(
                    summary.read == counts.inserted + counts.updated + counts.ignored + summary.rejected,
                    "counts of \(summary)")
                events.append("\(summary)")
            } catch let error as InterchangeError {
                events.append("\(error)")
            } catch let error as PersistenceError {
                check(error.code != .database && error.code != .closed, "\(error)")
                events.append("\(error)")
            }
            events += problems
            for row in try store.rows(StoreRequest(entity)) { events.append("\(row.id) \(row.values)") }
        } catch {
            fatalError("\(error)")
        }
    }

    func close() {
        do { try container.close() } catch { fatalError("\(error)") }
    }

    /// Exports in every format and imports the result into another store, which must have the same content.
    func exportAndImport() {
        do {
            let expected = try store.rows(StoreRequest(entity)).map { "\($0.id) \($0.values)" }
            for format in DatasetFormat.allCases {
                let output = ByteOutput.memory()
                try DatasetExporter(store: store, format: format).run(StoreRequest(entity), to: output)
                let again = ImportRun(entity, output.bytes, ImportOptions(format: format), blockSize: 512)
                let rows = try again.store.rows(StoreRequest(entity)).map { "\($0.id) \($0.values)" }
                again.close()
                checkSame(expected, rows, "\(format) read again (\(again.events))")
            }
        } catch {
            fatalError("the stored rows cannot be exported: \(error)")
        }
    }

    private static let model: ManagedObjectModel = {
        do {
            return try ManagedObjectModel([thing, person])
        } catch {
            fatalError("\(error)")
        }
    }()

    private static let thing = EntityDescription(
        "Thing",
        [
            .attribute(AttributeDescription("text", .string, isOptional: true)),
            .attribute(AttributeDescription("small", .integer16, isOptional: true)),
            .attribute(AttributeDescription("whole", .integer64, isOptional: true)),
            .attribute(AttributeDescription("real", .double, isOptional: true)),
            .attribute(AttributeDescription("price", .decimal(scale: 2), isOptional: true)),
            .attribute(AttributeDescription("flag", .boolean, isOptional: true)),
            .attribute(AttributeDescription("day", .date, isOptional: true)),
            .attribute(AttributeDescription("key", .uuid, isOptional: true, isUnique: true)),
            .attribute(AttributeDescription("bytes", .binary, isOptional: true)),
        ])

    private static let person = EntityDescription(
        "Person",
        [
            .attribute(AttributeDescription("name", .string)),
            .attribute(AttributeDescription("rank", .integer64, defaultValue: .constant(.integer(3)))),
            .relationship(RelationshipDescription("boss", to: "Person", .toOne, inverse: "staff")),
            .relationship(RelationshipDescription("staff", to: "Person", .toMany, inverse: "boss")),
        ])
}
