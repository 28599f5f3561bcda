import PersistenceTestSupport
import StrataPersistence
import StrataTesting
import Testing

/// A new object with ordered relationships is merged into a stored object with the same unique value.
@Suite("Upserts of objects with ordered relationships")
struct FoldedOrderTests {
    struct Playlist: PersistentRecord, Hashable {
        let id: LibraryID
        var title: String

        static let songs = ToMany<Playlist, Song>("songs", to: "Song", inverse: "playlist", orderedBy: "rank")
        static let moods = ToMany<Playlist, Mood>("moods", to: "Mood", inverse: "playlists", isOrdered: true)
        static let entity = RecordEntity<Playlist>(
            "Playlist", id: \.id,
            [.attribute("title", \.title, isUnique: true), .relationship(songs), .relationship(moods)]
        ) { row in Playlist(id: try row.id(), title: try row.next()) }
    }

    struct Song: PersistentRecord, Hashable {
        let id: LibraryID
        var name: String
        var rank: Int = 0
        var playlist: LibraryID?

        static let entity = RecordEntity<Song>(
            "Song", id: \.id,
            [
                .attribute("name", \.name), .attribute("rank", \.rank),
                .toOne("playlist", \.playlist, to: "Playlist", inverse: "songs"),
            ]
        ) { row in Song(id: try row.id(), name: try row.next(), rank: try row.next(), playlist: try row.next()) }
    }

    struct Mood: PersistentRecord, Hashable {
        let id: LibraryID
        var word: String

        static let playlists = ToMany<Mood, Playlist>("playlists", to: "Playlist", inverse: "moods", isOrdered: true)
        static let entity = RecordEntity<Mood>(
            "Mood", id: \.id, [.attribute("word", \.word, isUnique: true), .relationship(playlists)]
        ) { row in Mood(id: try row.id(), word: try row.next()) }
    }

    static let policies: [MergePolicy] = [
        .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    ]

    private func stack(_ kind: StoreKind) throws -> TestStack {
        try kind.stack(try ManagedObjectModel(records: [Playlist.self, Song.self, Mood.self]))
    }

    private func playlist(_ title: String, songs: [String], _ context: ConfinedContext) throws -> Managed<Playlist> {
        let playlist = try context.insert(Playlist.self) { Playlist(id: $0, title: title) }
        for name in songs {
            try context.add(try context.insert(Song.self) { Song(id: $0, name: name) }, to: \.songs, of: playlist)
        }
        return playlist
    }

    private func mood(_ word: String, _ context: ConfinedContext) throws -> Managed<Mood> {
        try context.insert(Mood.self) { Mood(id: $0, word: word) }
    }

    @Test(
        "an upsert appends the new object's list to the stored object's list, in order",
        arguments: StoreKind.allCases, policies)
    func oneToMany(_ kind: StoreKind, _ policy: MergePolicy) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            _ = try playlist("Road", songs: ["a", "b"], context)
            try context.save()
        }
        let context = stack.container.newBackgroundContext(mergePolicy: policy)
        try context.performAndWait { context in
            let folded = try playlist("Road", songs: ["y", "z"], context)
            let first = try context.insert(Song.self) { Song(id: $0, name: "x") }
            try context.insert(first, at: 0, in: \.songs, of: folded)
            try context.save()
            let road = try context.existingObject(holding: folded)
            #expect(try context.objects(\.songs, of: road).map(\.record.name) == ["a", "b", "x", "y", "z"])
        }
    }

    @Test("an upsert of several objects into one keeps the order of their lists", arguments: StoreKind.allCases)
    func several(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            context.mergePolicy = .mergeByPropertyObjectTrump
            _ = try playlist("Road", songs: ["a", "b"], context)
            _ = try playlist("Road", songs: ["c", "d"], context)
            let third = try playlist("Road", songs: ["e", "f"], context)
            try context.save()
            let road = try context.existingObject(holding: third)
            #expect(try context.objects(\.songs, of: road).map(\.record.name) == ["a", "b", "c", "d", "e", "f"])
        }
    }

    @Test(
        "an upsert appends the new object's many-to-many list to the stored list, in order",
        arguments: StoreKind.allCases, policies)
    func otherEnd(_ kind: StoreKind, _ policy: MergePolicy) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            try context.add(try playlist("Road", songs: [], context), to: \.playlists, of: try mood("calm", context))
            try context.save()
        }
        let context = stack.container.newBackgroundContext(mergePolicy: policy)
        try context.performAndWait { context in
            let playlists = try ["Sea", "Sky", "Sun"].map { try playlist($0, songs: [], context) }
            let folded = try mood("calm", context)
            try context.set([playlists[1], playlists[2], playlists[0]], as: \.playlists, of: folded)
            try context.save()
            let calm = try context.existingObject(holding: folded)
            #expect(try context.objects(\.playlists, of: calm).map(\.title) == ["Road", "Sky", "Sun", "Sea"])
        }
    }

    @Test(
        "an upsert appends many-to-many join rows and keeps their positions on the other side",
        arguments: StoreKind.allCases, policies)
    func manyToMany(_ kind: StoreKind, _ policy: MergePolicy) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            let road = try playlist("Road", songs: [], context)
            try context.set(try ["calm", "loud", "mild"].map { try mood($0, context) }, as: \.moods, of: road)
            try context.save()
        }
        let context = stack.container.newBackgroundContext(mergePolicy: policy)
        try context.performAndWait { context in
            let (folded, other) = (try playlist("Road", songs: [], context), try playlist("Home", songs: [], context))
            let (glad, keen) = (try mood("glad", context), try mood("keen", context))
            // A stored mood has the same word, and the stored playlist has this mood already.
            let loud = try mood("loud", context)
            for mood in [keen, glad, loud] { try context.add(mood, to: \.moods, of: folded) }
            try context.add(glad, to: \.moods, of: other)
            try context.save()
            let road = try context.existingObject(holding: folded)
            #expect(
                try context.objects(\.moods, of: road).map(\.record.word) == ["calm", "mild", "keen", "glad", "loud"])
            #expect(try context.objects(\.playlists, of: glad).map(\.record.title) == ["Road", "Home"])
        }
    }

    @Test("an upsert renumbers the list if no position is free after the last", arguments: StoreKind.allCases)
    func noRoom(_ kind: StoreKind) throws {
        let stack = try stack(kind)
        try stack.background.performAndWait { context in
            let road = try playlist("Road", songs: ["a", "b"], context)
            try context.objects(\.songs, of: road).last?.rank = Int.max
            try context.save()
        }
        let context = stack.container.newBackgroundContext(mergePolicy: .mergeByPropertyObjectTrump)
        try context.performAndWait { context in
            let folded = try playlist("Road", songs: ["x", "y"], context)
            try context.save()
            let road = try context.existingObject(holding: folded)
            #expect(try context.objects(\.songs, of: road).map(\.record.name) == ["a", "b", "x", "y"])
        }
    }
}
