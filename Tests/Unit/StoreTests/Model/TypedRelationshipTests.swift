import PersistenceTestSupport
import StrataPersistence
import Testing

/// Relationships as typed values.
@Suite("Typed relationships")
struct TypedRelationshipTests {
    struct ID: RecordIdentifier {
        let rawValue: Int64
        init?(rawValue: Int64) { self.rawValue = rawValue }
    }

    struct Writer: PersistentRecord {
        let id: ID
        static let books = ToMany<Writer, Book>("books", to: "Book", inverse: "writer", deleteRule: .cascade)
        static let desk = ToOne<Writer, Desk>("desk", to: "Desk", inverse: "writer")
        static let entity = RecordEntity<Writer>("Writer", id: \.id, [.relationship(books), .relationship(desk)]) {
            Writer(id: try $0.id())
        }
    }

    struct Book: PersistentRecord {
        let id: ID
        var writer: ID
        static let entity = RecordEntity<Book>(
            "Book", id: \.id, [.toOne("writer", \.writer, to: "Writer", inverse: "books", deleteRule: .deny)]
        ) { Book(id: try $0.id(), writer: try $0.next()) }
    }

    struct Desk: PersistentRecord {
        let id: ID
        var writer: ID?
        static let entity = RecordEntity<Desk>(
            "Desk", id: \.id, [.toOne("writer", \.writer, to: "Writer", inverse: "desk")]
        ) { Desk(id: try $0.id(), writer: try $0.next()) }
    }

    /// A record whose entity has the name of another one.
    struct Pamphlet: PersistentRecord {
        let id: ID
        var writer: ID
        static let entity = RecordEntity<Pamphlet>(
            "Book", id: \.id, [.toOne("writer", \.writer, to: "Writer", inverse: "books")]
        ) { Pamphlet(id: try $0.id(), writer: try $0.next()) }
    }

    @Test("typed relationships become relationships of the model")
    func model() throws {
        let model = try ManagedObjectModel(records: [Writer.self, Book.self, Desk.self])
        let writer = try model.entity(named: "Writer")
        #expect(writer.relationships.map(\.name) == ["books", "desk"])
        #expect(writer.relationships.map(\.deleteRule) == [.cascade, .nullify])
        #expect(writer.columns.isEmpty)
        #expect(try model.entity(named: "Book").relationships.map(\.deleteRule) == [.deny])
        #expect(try model.entity(named: "Desk").columns.map(\.isUnique) == [true])
    }

    @Test("a typed relationship to another record type than its destination's is rejected")
    func destination() throws {
        let error = try persistenceError {
            _ = try ManagedObjectModel(records: [Writer.self, Pamphlet.self, Desk.self])
        }
        #expect(error.code == .invalidModel)
        #expect("\(error)" == "Writer.books: refers to Book, but the records of Book are Pamphlet")
    }
}
