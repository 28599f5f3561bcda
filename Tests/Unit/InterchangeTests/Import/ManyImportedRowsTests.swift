import Foundation
import PersistenceTestSupport
import StrataInterchange
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// An import that updates more rows than are tracked individually, so that contexts and the cache discard all rows.
@Suite("Imports of more rows than are tracked")
struct ManyImportedRowsTests {
    private struct NoteID: RecordIdentifier {
        let rawValue: Int64
    }

    private struct Note: PersistentRecord {
        let id: NoteID
        var text: String

        static let entity = RecordEntity<Note>("Note", id: \.id, [.attribute("text", \.text)]) { row in
            Note(id: try row.id(), text: try row.next())
        }
    }

    private static let count = ChangedIdentifiers.maximumCount + 2

    private static func importing(_ text: String, into container: PersistentContainer) throws {
        var options = ImportOptions(format: .csv)
        options.onConflict = .update
        let lines = (1...count).map { "\($0),\(text)" }
        let bytes = Array((["id,text"] + lines).joined(separator: "\n").utf8)
        _ = try DatasetImporter(entity: "Note", container: container, options: options)
            .run(ByteInput(bytes: bytes, name: "notes.csv"))
    }

    @Test("an import of many rows leaves no outdated row in the cache", arguments: StoreKind.allCases)
    func importMany(_ kind: StoreKind) throws {
        let folder = try TemporaryFolder()
        var description = PersistentStoreDescription(kind.provider(in: folder))
        description.stalenessInterval = nil
        let container = try PersistentContainer(
            model: try ManagedObjectModel(records: [Note.self]), description, mainQueue: .private)
        func texts() throws -> [String] {
            try container.newBackgroundContext().performAndWait { context in
                try [1, Int64(Self.count)].map {
                    try context.existingObject(with: NoteID(rawValue: $0), of: Note.self).text
                }
            }
        }
        try Self.importing("old", into: container)
        #expect(try texts() == ["old", "old"])
        try Self.importing("new", into: container)
        #expect(try texts() == ["new", "new"])
        try container.close()
    }
}
