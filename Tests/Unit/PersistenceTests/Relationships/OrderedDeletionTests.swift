import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// An index counts only the objects that remain after the delete rules, which were not applied yet.
@Suite("List positions during a pending cascade")
struct OrderedDeletionTests {
    struct Album: PersistentRecord {
        let id: LibraryID

        static let tracks = ToMany<Album, Track>("tracks", to: "Track", inverse: "album", deleteRule: .cascade)
        static let entity = RecordEntity<Album>("Album", id: \.id, [.relationship(tracks)]) { Album(id: try $0.id()) }
    }

    struct Track: PersistentRecord {
        let id: LibraryID
        var name: String
        var rank = 0
        var album: LibraryID?
        var queue: LibraryID?

        static let favouredBy = ToMany<Track, Listener>("favouredBy", to: "Listener", inverse: "favourites")
        static let entity = RecordEntity<Track>(
            "Track", id: \.id,
            [
                .attribute("name", \.name), .attribute("rank", \.rank),
                .toOne("album", \.album, to: "Album", inverse: "tracks"),
                .toOne("queue", \.queue, to: "Listener", inverse: "queued"), .relationship(favouredBy),
            ]
        ) { row in
            Track(
                id: try row.id(), name: try row.next(), rank: try row.next(), album: try row.next(),
                queue: try row.next())
        }
    }

    struct Listener: PersistentRecord {
        let id: LibraryID

        static let queued = ToMany<Listener, Track>("queued", to: "Track", inverse: "queue", orderedBy: "rank")
        static let favourites = ToMany<Listener, Track>(
            "favourites", to: "Track", inverse: "favouredBy", isOrdered: true)
        static let entity = RecordEntity<Listener>(
            "Listener", id: \.id, [.relationship(queued), .relationship(favourites)]
        ) { Listener(id: try $0.id()) }
    }

    /// Returns a stack in which listener 1 has tracks a, b and c in either list, and album 1 has a and e.
    ///
    /// Tracks d and e are in neither list.
    private static func stack(_ kind: StoreKind) throws -> TestStack {
        let stack = try kind.stack(try ManagedObjectModel(records: [Album.self, Track.self, Listener.self]))
        try stack.background.performTransactionAndWait { context in
            let listener = try context.insert(Listener(id: 1))
            try context.insert(Album(id: 1))
            let tracks = try ["a", "b", "c", "d", "e"].enumerated().map { index, name in
                let id = LibraryID(unchecked: Int64(index + 1))
                return try context.insert(Track(id: id, name: name, album: index % 4 == 0 ? 1 : nil))
            }
            try context.add(Array(tracks.prefix(3)), to: \.queued, of: listener)
            try context.add(Array(tracks.prefix(3)), to: \.favourites, of: listener)
        }
        return stack
    }

    private typealias List = any KeyPath<Listener.Type, ToMany<Listener, Track>> & Sendable

    private static func lists() -> [List] { [\.queued, \.favourites] }

    @Test(
        "an insertion index ignores the objects that a pending cascade will delete", arguments: StoreKind.allCases,
        [false, true])
    func place(_ kind: StoreKind, _ isChild: Bool) throws {
        for list in Self.lists() {
            let stack = try Self.stack(kind)
            let parent = stack.container.newBackgroundContext(name: "parent")
            let context = isChild ? parent.newChildContext() : parent
            try context.performAndWait { context in
                let listener = try context.existingObject(with: 1, of: Listener.self)
                let track = try context.existingObject(with: 4, of: Track.self)
                try context.delete(1, of: Album.self)
                try context.insert(track, at: 1, in: list, of: listener)
                #expect(try context.objects(list, of: listener).map(\.record.name) == ["b", "d", "c"], "\(list)")
            }
        }
    }

    @Test(
        "adding an object that a pending cascade will delete to a list throws", arguments: StoreKind.allCases,
        [false, true])
    func missing(_ kind: StoreKind, _ isLast: Bool) throws {
        for list in Self.lists() {
            let stack = try Self.stack(kind)
            try stack.background.performAndWait { context in
                let listener = try context.existingObject(with: 1, of: Listener.self)
                let track = try context.existingObject(with: 5, of: Track.self)
                try context.delete(1, of: Album.self)
                let error = try persistenceError {
                    if isLast {
                        try context.add(track, to: list, of: listener)
                    } else {
                        try context.insert(track, at: 1, in: list, of: listener)
                    }
                }
                #expect(error.code == .detachedObject && error.entity == "Track", "\(list)")
                try context.save()
                #expect(try context.objects(list, of: listener).map(\.record.name) == ["b", "c"], "\(list)")
            }
        }
    }
}
