import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Join rows that have a position in the lists of both their ends.
@Suite("Relationships that are ordered on both sides")
struct OrderedOnBothSidesTests {
    private typealias Playlist = FoldedOrderTests.Playlist
    private typealias Mood = FoldedOrderTests.Mood

    /// Adds join rows of three playlists and three moods, and returns the lists of both sides as a new context reads
    /// them.
    private func lists(
        _ kind: StoreKind,
        _ add: @escaping @Sendable (ConfinedContext, [Managed<Playlist>], [Managed<Mood>]) throws -> Void
    ) throws -> (playlists: [[String]], moods: [[String]]) {
        let stack = try kind.stack(
            try ManagedObjectModel(records: [Playlist.self, FoldedOrderTests.Song.self, Mood.self]))
        try stack.background.performTransactionAndWait { context in
            let playlists = try (0..<3).map { number in
                try context.insert(Playlist.self) { Playlist(id: $0, title: "p\(number)") }
            }
            let moods = try (0..<3).map { number in
                try context.insert(Mood.self) { Mood(id: $0, word: "m\(number)") }
            }
            try add(context, playlists, moods)
        }
        return try stack.container.newBackgroundContext().performAndWait { context in
            let playlists = try context.fetch(FetchRequest<Playlist>()).sorted { $0.title < $1.title }
            let moods = try context.fetch(FetchRequest<Mood>()).sorted { $0.word < $1.word }
            return (
                try playlists.map { try context.objects(\.moods, of: $0).map(\.word) },
                try moods.map { try context.objects(\.playlists, of: $0).map(\.title) }
            )
        }
    }

    @Test(
        "several objects that are added at once follow the existing objects, on either side",
        arguments: StoreKind.allCases
    )
    func addingSeveral(_ kind: StoreKind) throws {
        let fromPlaylists = try lists(kind) { context, playlists, moods in
            try context.add(playlists[0], to: \.playlists, of: moods[1])
            try context.add([moods[2], moods[1], moods[0]], to: \.moods, of: playlists[1])
        }
        #expect(fromPlaylists.playlists == [["m1"], ["m2", "m1", "m0"], []])
        #expect(fromPlaylists.moods == [["p1"], ["p0", "p1"], ["p1"]])
        let fromMoods = try lists(kind) { context, playlists, moods in
            try context.add(moods[0], to: \.moods, of: playlists[1])
            try context.add([playlists[2], playlists[1], playlists[0]], to: \.playlists, of: moods[1])
        }
        #expect(fromMoods.playlists == [["m1"], ["m0", "m1"], ["m1"]])
        #expect(fromMoods.moods == [["p1"], ["p2", "p1", "p0"], []])
    }

    @Test(
        "moving an object in the list of one side keeps the positions on the other side", arguments: StoreKind.allCases)
    func placedTwice(_ kind: StoreKind) throws {
        let fromMoods = try lists(kind) { context, playlists, moods in
            for playlist in playlists[0...1] { try context.add(moods[0...1].map { $0 }, to: \.moods, of: playlist) }
            try context.move(playlists[0], to: 1, in: \.playlists, of: moods[0])
            try context.move(moods[0], to: 1, in: \.moods, of: playlists[0])
        }
        #expect(fromMoods.playlists == [["m1", "m0"], ["m0", "m1"], []])
        #expect(fromMoods.moods == [["p1", "p0"], ["p0", "p1"], []])
        let fromPlaylists = try lists(kind) { context, playlists, moods in
            for mood in moods[0...1] { try context.add(playlists[0...1].map { $0 }, to: \.playlists, of: mood) }
            try context.move(moods[0], to: 1, in: \.moods, of: playlists[0])
            try context.move(playlists[0], to: 1, in: \.playlists, of: moods[0])
        }
        #expect(fromPlaylists.playlists == fromMoods.playlists && fromPlaylists.moods == fromMoods.moods)
    }

    @Test(
        "a context uses the positions that another writer set for objects that it did not move",
        arguments: StoreKind.allCases)
    func placedElsewhere(_ kind: StoreKind) throws {
        let stack = try kind.stack(
            try ManagedObjectModel(records: [Playlist.self, FoldedOrderTests.Song.self, Mood.self]))
        let store = stack.container.coordinator.store
        let join = try #require(store.model.joins.first)
        /// Saves join rows of playlists and moods with a position in the lists of both.
        @Sendable func save(_ rows: [(playlist: Int64, mood: Int64, place: Int64?)]) throws {
            var changes = ChangeSet()
            changes.joins[join.name, default: .init()].added = rows.map { row in
                let isSource = join.sourceEntity == "Playlist"
                return JoinRow(
                    JoinPair(source: isSource ? row.playlist : row.mood, target: isSource ? row.mood : row.playlist),
                    sourcePosition: row.place, targetPosition: row.place)
            }
            #expect(try store.save(changes).isEmpty)
        }
        try stack.background.performTransactionAndWait { context in
            for id in [1, 2] as [LibraryID] {
                try context.insert(Playlist(id: id, title: "p\(id.rawValue)"))
                try context.insert(Mood(id: id, word: "m\(id.rawValue)"))
            }
        }
        try save([(1, 1, nil), (2, 1, nil), (1, 2, nil)])
        try stack.background.performAndWait { context in
            let playlists = try context.fetch(FetchRequest<Playlist>()).sorted { $0.title < $1.title }
            let moods = try context.fetch(FetchRequest<Mood>()).sorted { $0.word < $1.word }
            try context.insert(moods[0], at: 0, in: \.moods, of: playlists[1])
            try context.insert(playlists[0], at: 0, in: \.playlists, of: moods[1])
            try save([(1, 1, 1), (2, 1, 2), (1, 2, 2)])
            #expect(try context.objects(\.playlists, of: moods[0]).map(\.title) == ["p1", "p2"])
            #expect(try context.objects(\.moods, of: playlists[0]).map(\.word) == ["m1", "m2"])
        }
    }

    @Test("an object that moves in one list keeps its positions in the other lists", arguments: StoreKind.allCases)
    func moving(_ kind: StoreKind) throws {
        let moved = try lists(kind) { context, playlists, moods in
            for playlist in playlists { try context.add(moods, to: \.moods, of: playlist) }
            try context.move(moods[2], to: 0, in: \.moods, of: playlists[0])
            try context.move(playlists[2], to: 0, in: \.playlists, of: moods[0])
        }
        #expect(moved.playlists == [["m2", "m0", "m1"], ["m0", "m1", "m2"], ["m0", "m1", "m2"]])
        #expect(moved.moods == [["p2", "p0", "p1"], ["p0", "p1", "p2"], ["p0", "p1", "p2"]])
    }
}
