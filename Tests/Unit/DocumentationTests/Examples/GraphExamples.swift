import Foundation
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

struct Country: PersistentRecord {
    let id: RecordID<Country>
    var name: String
    static let entity = RecordEntity<Country>("Country", id: \.id, [.attribute("name", \.name, isUnique: true)]) {
        try Country(id: $0.id(), name: $0.next())
    }
}

struct Artist: PersistentRecord {
    let id: RecordID<Artist>
    var name: String
    var country: RecordID<Country>?
    static let entity = RecordEntity<Artist>(
        "Artist", id: \.id, [.attribute("name", \.name), .toOne("country", \.country, to: "Country")]
    ) { try Artist(id: $0.id(), name: $0.next(), country: $0.next()) }
}

struct Album: PersistentRecord {
    let id: RecordID<Album>
    var title: String
    var artist: RecordID<Artist>?
    static let genres = ToMany<Album, Genre>("genres", to: "Genre", inverse: "albums", isOrdered: true)
    static let entity = RecordEntity<Album>(
        "Album", id: \.id,
        [.attribute("title", \.title), .toOne("artist", \.artist, to: "Artist"), .relationship(genres)]
    ) { try Album(id: $0.id(), title: $0.next(), artist: $0.next()) }
}

struct Genre: PersistentRecord {
    let id: RecordID<Genre>
    var name: String
    static let albums = ToMany<Genre, Album>("albums", to: "Album", inverse: "genres")
    static let entity = RecordEntity<Genre>(
        "Genre", id: \.id, [.attribute("name", \.name), .relationship(albums)]
    ) { try Genre(id: $0.id(), name: $0.next()) }
}

struct Address: Codable, Hashable {
    var street: String
    var town: String
}

extension Address: AttributeValue {
    static let attributeType = AttributeType.string

    static var domain: AttributeDomain? {
        AttributeDomain(name: "Address") { try Address(storedValue: $0).storedValue() }
    }

    func storedValue() throws -> StoredValue {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return .string(String(decoding: try encoder.encode(self), as: UTF8.self))
    }

    init(storedValue: StoredValue) throws {
        guard case .string(let text) = storedValue else { throw ValueError("it is not a text") }
        self = try JSONDecoder().decode(Address.self, from: Data(text.utf8))
    }
}

/// A customer that is marked as deleted instead of being deleted.
struct Client: PersistentRecord {
    let id: RecordID<Client>
    var number: Int
    var deletedAt: Date?
    static let entity = RecordEntity<Client>(
        "Client", id: \.id,
        [
            .attribute("number", \.number), .attribute("deletedAt", \.deletedAt),
            .computed("activeNumber", \.activeNumber, isUnique: true),
        ]
    ) { try Client(id: $0.id(), number: $0.next(), deletedAt: $0.next()) }
}

extension Client {
    var activeNumber: Int? { deletedAt == nil ? number : nil }
    static let active = RecordFilter<Client>.matching(#Predicate { $0.deletedAt == nil })
}

@Suite("Records with their relationships")
struct GraphExamples {
    @Test func graph() async throws {
        let model = try ManagedObjectModel(records: [Country.self, Artist.self, Album.self, Genre.self])
        let container = try PersistentContainer(model: model, .inMemory, mainQueue: .private)
        let records: any RecordContext = container.backgroundContext
        let albums = (1...3).map { Album(id: RecordID(rawValue: $0)!, title: "t\($0)", artist: nil) }
        let artists = [Artist(id: 1, name: "a")]
        try container.batchWrite { writer in
            try writer.insert(albums)
            try writer.insert(artists)
        }
        try container.batchWrite { writer in
            try writer.insert([Country(id: 1, name: "c")])
            try writer.insert([Genre(id: 1, name: "g"), Genre(id: 2, name: "h")])
        }
        try await records.transaction { unit in
            try unit.update(Artist.self, id: 1) { $0.country = 1 }
            try unit.update(Album.self, id: 1) { $0.artist = 1 }
            try unit.set([2, 1], as: \.genres, of: Album.self, id: 1)
            try unit.insert(1, at: 0, in: \.genres, of: Album.self, id: 1)
        }
        let request = FetchRequest<Album>(
            prefetching: [.toOne(\.artist, to: Artist.self, [.toOne(\.country)]), .toMany(\.genres)])
        let graph = try await records.fetchGraph(request)
        for album in graph.records {
            let artist = try graph.related(\.artist, of: album)
            let country = try artist.flatMap { try graph.related(\.country, of: $0) }
            let genres = try graph.related(\.genres, of: album)
            print(album.title, artist?.name ?? "", country?.name ?? "", genres.map(\.name))
        }
        let first = try #require(graph.records.first)
        #expect(try graph.related(\.genres, of: first).map(\.name) == ["g", "h"])
        #expect(try graph.related(\.artist, of: first)?.name == "a")
        try container.close()
    }

    @Test func bulkLoading() async throws {
        let model = try ManagedObjectModel(records: [Country.self, Artist.self, Album.self, Genre.self])
        let container = try PersistentContainer(model: model, .inMemory, mainQueue: .private)
        let albums = [Album(id: 1, title: "t", artist: 1)]
        let artists = [Artist(id: 1, name: "a")]
        let counts = try await container.performBatchWrite { writer in
            try writer.insert(albums)
            try writer.insert(artists)
        }
        #expect(counts.mapValues(\.inserted) == ["Album": 1, "Artist": 1])
        try load(container, [Album(id: 1, title: "u", artist: 7)])
        try await container.performBatchUpdate(Album.self, [.set(\.title, to: "untitled")])
        #expect(try await more(container, [Album(id: 2, title: "v")]) == 1)
        try container.close()
    }

    func load(_ container: PersistentContainer, _ albums: [Album]) throws {
        var options = InsertOptions()
        options.onConflict = .update
        options.onMissingReference = .null
        try container.batchInsert(Album.entity, options, records: albums)
    }

    func more(_ container: PersistentContainer, _ albums: [Album]) async throws -> Int {
        let inserted = try await container.performBatchInsert(Album.entity, records: albums)
        return inserted
    }

    @Test func address() throws {
        let address = Address(street: "a/b", town: "c")
        let text = try address.storedValue()
        #expect(text == .string(#"{"street":"a/b","town":"c"}"#))
        #expect(try Address(storedValue: .string(#"{"town":"c", "street":"a/b"}"#)) == address)
        let domain = try #require(Address.domain)
        #expect(try domain.canonicalize(.string(#"{"town":"c", "street":"a\/b"}"#)) == text)
        #expect(throws: (any Error).self) { try domain.canonicalize(.string("{}")) }
    }

    @Test func softDeletion() async throws {
        let records = try InMemoryRecords(try ManagedObjectModel(records: [Client.self]))
        let id = try await records.insert(Client.self) { Client(id: $0, number: 7) }.id
        try await records.update(Client.self, id: id) { $0.deletedAt = Date() }
        let clients = try await records.fetch(FetchRequest(Client.active))
        #expect(clients.isEmpty)
        _ = try await records.insert(Client.self) { Client(id: $0, number: 7) }
        #expect(try await records.fetch(FetchRequest(Client.active)).map(\.number) == [7])
        #expect(try await records.count(FetchRequest<Client>()) == 2)
    }
}
