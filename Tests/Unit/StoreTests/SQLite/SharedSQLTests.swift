import Foundation
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataSQL
@testable import StrataSQLite
@testable import StrataStoreKit

/// SQL that all engines share, and that only a store on a server uses.
@Suite("SQL of all engines")
struct SharedSQLTests {
    /// Returns a model of articles with an author each and with tags.
    private static func model() throws -> ManagedObjectModel {
        try ManagedObjectModel([
            EntityDescription(
                "Article",
                [
                    .relationship(RelationshipDescription("author", to: "Author", .toOne)),
                    .relationship(RelationshipDescription("tags", to: "Tag", .toMany, inverse: "articles")),
                ]),
            EntityDescription("Author", []),
            EntityDescription(
                "Tag", [.relationship(RelationshipDescription("articles", to: "Article", .toMany, inverse: "tags"))]),
        ])
    }

    private let folder: TemporaryFolder
    private let connection: SQLiteConnection
    private let layout: SQLLayout

    init() throws {
        let model = try Self.model()
        folder = try TemporaryFolder()
        let file = folder.file("store.sqlite")
        try SQLiteStore.open(at: file, model: model).close()
        connection = try SQLiteConnection(path: file.path, access: .readWrite, busyTimeout: .zero)
        layout = SQLLayout(model: model, dialect: SQLiteDialect())
    }

    @Test("the error for a dangling reference names row and attribute; that for a join row names only the table")
    func dangling() throws {
        defer { connection.close() }
        func error() throws -> PersistenceError? {
            try connection.firstDangling(in: layout)?.error("there is a reference to", path: "place")
        }
        try connection.execute("PRAGMA foreign_keys = OFF; INSERT INTO Article VALUES (3, 1, NULL), (4, 1, NULL)")
        #expect(try error() == nil)
        try connection.execute("INSERT INTO Tag VALUES (6, 1); INSERT INTO Article_tags VALUES (3, 6), (4, 7)")
        let ofPair = try #require(try error())
        #expect(ofPair.code == .danglingReference && ofPair.path == "place")
        #expect(ofPair.message == "there is a reference to Tag that does not exist")
        #expect(ofPair.entity == "Article_tags" && ofPair.attribute == nil && ofPair.id == nil)
        try connection.execute("UPDATE Article SET author = 9 WHERE id = 4")
        let ofRow = try #require(try error())
        #expect(ofRow.message == "there is a reference to Author that does not exist")
        #expect(ofRow.entity == "Article" && ofRow.attribute == "author" && ofRow.id == 4)
    }

    @Test("a writer reports all entities of its written rows")
    func written() throws {
        defer { connection.close() }
        func entities(_ body: (SQLRowWriter) throws -> Void) throws -> Set<String> {
            let writer = SQLRowWriter(layout, connection)
            defer { writer.end() }
            return try connection.inTransaction {
                try body(writer)
                try writer.finish()
                return writer.writtenEntities
            }
        }
        let article = try layout.model.entity(named: "Article")
        #expect(try entities { _ = try $0.inserter(of: "Author", InsertOptions()) } == [])
        #expect(
            try entities { writer in
                var block = RowBlock(of: try layout.model.entity(named: "Author"))
                block.beginRow(location: RowLocation(line: 1, record: 1))
                try writer.inserter(of: "Author", InsertOptions()).insert(&block)
            } == ["Author"])
        #expect(try entities { _ = try $0.redirectReferences(of: article, column: 0, [:]) } == [])
        #expect(try entities { _ = try $0.redirectReferences(of: article, column: 0, [2: 1]) } == ["Article"])
        #expect(try entities { try $0.removePairs(of: 1, isSource: true, join: "Article_tags") } == ["Article", "Tag"])
    }
}
