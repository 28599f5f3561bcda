import Foundation
import StrataCore
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataSQLite

/// Stores of the first versions, which contain less of their model.
@Suite("Stores without a model file")
struct StoredModelTests {
    private let folder: TemporaryFolder
    private var file: URL { folder.file("store.sqlite") }

    private static func model(_ more: AttributeDescription...) throws -> ManagedObjectModel {
        let name = AttributeDescription("name", .string)
        return try ManagedObjectModel([EntityDescription("Club", ([name] + more).map { .attribute($0) })])
    }

    /// Creates a store with one row and without a model file.
    init() throws {
        folder = try TemporaryFolder()
        let store = try SQLiteStoreProvider(at: file).open(try Self.model(), options: StoreOptions())
        var changes = ChangeSet()
        changes["Club"].insertions = [.init(id: 1, values: [.string("Chess")])]
        _ = try store.save(changes)
        try store.close()
        try spoil("DELETE FROM strata_metadata WHERE key = 'model.file'")
    }

    private func spoil(_ sql: String) throws {
        let connection = try SQLiteConnection(path: file.path, access: .readWrite, busyTimeout: .zero)
        defer { connection.close() }
        try connection.execute(sql)
    }

    private func hasModelFile() throws -> Bool {
        let connection = try SQLiteConnection(path: file.path, access: .readOnly, busyTimeout: .zero)
        defer { connection.close() }
        return try connection.number("SELECT count(*) FROM strata_metadata WHERE key = 'model.file'") == 1
    }

    @Test("an old store with the same model is opened without adding a model file")
    func same() throws {
        let store = try SQLiteStoreProvider(at: file).open(try Self.model(), options: StoreOptions())
        #expect(try store.count(StoreRequest("Club")) == 1)
        try store.close()
        #expect(try !hasModelFile())
    }

    @Test("an old store with another model is migrated and then contains a model file")
    func other() throws {
        let later = try Self.model(AttributeDescription("motto", .string, isOptional: true))
        let store = try SQLiteStoreProvider(at: file).open(later, options: StoreOptions())
        #expect(try store.rows(StoreRequest("Club")).map(\.values) == [[.string("Chess"), .null]])
        try store.close()
        #expect(try hasModelFile())
    }
}
