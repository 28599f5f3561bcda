import DictionaryStore
import Foundation
import StrataPersistence
import StrataStoreKit
import Testing

/// A record of the stack.
private struct Note: Identifiable, Hashable {
    struct ID: RecordIdentifier {
        let rawValue: Int64

        init?(rawValue: Int64) {
            guard identifierRange.contains(rawValue) else { return nil }
            self.rawValue = rawValue
        }
    }

    let id: ID
    var text: String
    var stars: Int
}

extension Note: PersistentRecord {
    static let entity = RecordEntity<Note>(
        "Note", id: \.id,
        [.attribute("text", \.text, isUnique: true), .attribute("stars", \.stars, rules: [.minimum(.integer(0))])]
    ) { row in
        Note(id: try row.id(), text: try row.next(), stars: try row.next())
    }
}

/// A provider that opens the store for a stack.
private struct DictionaryStoreProvider: StoreProvider {
    var kind: String { "dictionaries" }

    func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        if options.isReadOnly { throw PersistenceError.notReadOnly("a store of the kind “\(kind)”") }
        return DictionaryStore(model: model)
    }

    func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {}
}

@Suite("A stack over a custom store")
struct StackTests {
    private func container() throws -> PersistentContainer {
        try PersistentContainer(
            model: try ManagedObjectModel(records: [Note.self]), PersistentStoreDescription(DictionaryStoreProvider()),
            mainQueue: .private)
    }

    @Test("contexts save, fetch and merge on a custom store")
    func contexts() throws {
        let container = try container()
        let id = try container.backgroundContext.performAndWait { context in
            let note = try context.insert(Note.self) { Note(id: $0, text: "first", stars: 3) }
            try context.insert(Note.self) { Note(id: $0, text: "second", stars: 1) }
            try context.save()
            return note.id
        }
        let found = try container.mainContext.performAndWait { context in
            try context.fetchRecords(FetchRequest<Note>(where: #Predicate { $0.stars > 1 })).map(\.text)
        }
        #expect(found == ["first"])
        try container.backgroundContext.performAndWait { context in
            try context.existingObject(with: id, of: Note.self).text = "changed"
            try context.save()
        }
        let text = try container.mainContext.performAndWait { try $0.existingObject(with: id, of: Note.self).text }
        #expect(text == "changed")
        try container.close()
    }

    @Test("batches change a custom store, which cannot be opened for reading only")
    func batches() throws {
        let container = try container()
        try container.batchInsert(into: "Note") { inserter in
            for number in 1...5 {
                try inserter.insert(
                    values: [.string("note \(number)"), .integer(Int64(number))],
                    location: RowLocation(line: number, record: number))
            }
        }
        let result = try container.batchUpdate(
            "Note", where: .compare(.property("stars"), .greater, .constant(.integer(3))),
            set: ["stars": .constant(.integer(0))])
        #expect(result.selectedCount == 2)
        let deleted = try container.batchDelete(
            "Note", where: .compare(.property("stars"), .equal, .constant(.integer(0))))
        #expect(deleted.selectedCount == 2)
        #expect(try container.coordinator.store.count(StoreRequest("Note")) == 3)
        try container.destroyPersistentStore()
        let error = #expect(throws: PersistenceError.self) {
            _ = try PersistentContainer(
                model: container.model, PersistentStoreDescription(DictionaryStoreProvider()).readOnly)
        }
        #expect(
            error.map { "\($0)" }
                == "a store of the kind “dictionaries” cannot be opened for reading only; only stores in files can")
    }

    @Test("bulk rows are validated by the counts of relationships")
    func counts() throws {
        let players = RelationshipDescription(
            "players", to: "Player", .toMany, inverse: "team", isOptional: false, maximumCount: 2)
        let model = try ManagedObjectModel([
            EntityDescription("Team", [.relationship(players)]),
            EntityDescription(
                "Player", [.relationship(RelationshipDescription("team", to: "Team", .toOne, inverse: "players"))]),
        ])
        let store = DictionaryStore(model: model)
        func write(_ playersOfTeams: [Int64]) throws {
            let place = RowLocation(line: 1, record: 1)
            try store.batchWrite { writer in
                let (teams, players) = (try writer.inserter(of: "Team"), try writer.inserter(of: "Player"))
                for id in Int64(1)...2 { try teams.insert(id: id, values: [], location: place) }
                for team in playersOfTeams { try players.insert(values: [.integer(team)], location: place) }
            }
        }
        for wrong in [[1], [1, 2, 2, 2]] as [[Int64]] {
            let error = #expect(throws: PersistenceError.self) { try write(wrong) }
            #expect(error?.code == .validation && error?.failures.map(\.id) == [2])
            #expect(try store.count(StoreRequest("Team")) == 0)
        }
        try write([2, 1, 2])
        #expect(try store.count(StoreRequest("Player")) == 3)
    }
}
