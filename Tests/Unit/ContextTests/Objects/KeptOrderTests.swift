import Foundation
import PersistenceTestSupport
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// A record whose rows retain the order of their file.
private struct Song: PersistentRecord {
    let id: RecordID<Song>
    var title: String
    var stateValue: String

    static let entity = RecordEntity<Song>(
        "Song", id: \.id, [.attribute("title", \.title), .attribute("state", \.stateValue)], keepsOrder: true,
        rules: .model
    ) { row in
        try Song(id: row.id(), title: row.next(), stateValue: row.next())
    }
}

@Suite("Records whose rows retain the order of their file")
struct KeptOrderTests {
    private func titles(_ container: PersistentContainer) throws -> [StoredValue] {
        let request = StoreRequest("Song", sort: [StoreRequest.Sort("_position"), StoreRequest.Sort("id")])
        return try container.coordinator.store.rows(request).map { $0.values[0] }
    }

    @Test("a new record is last, and an update leaves its position unchanged", arguments: StoreKind.everyKind)
    func positions(_ kind: StoreKind) throws {
        let stack = try kind.stack(ManagedObjectModel(records: [Song.self]))
        let songs = [(5, "e"), (2, "b"), (9, "i")] as [(RecordID<Song>, String)]
        _ = try stack.container.batchInsert(
            Song.entity, records: songs.map { Song(id: $0.0, title: $0.1, stateValue: "new") })
        try stack.background.performAndWait { context in
            let song = try context.existingObject(with: 2, of: Song.self)
            song.title = "B"
            try context.insert(Song.self) { Song(id: $0, title: "z", stateValue: "new") }
            try context.save()
            #expect(song.stateValue == "new" && song.state == .unchanged)
        }
        #expect(try titles(stack.container) == ["e", "B", "i", "z"].map { .string($0) })
    }
}
