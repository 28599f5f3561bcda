import Foundation
import StrataCore
import StrataStoreKit
import StrataTesting
import Testing

@testable import StrataSQLite

/// The check for free disk space before anything changes.
@Suite("Disk space for a migration")
struct RoomTests {
    private static let large = EntityDescription("Large", [attribute("text")])
    private static let small = EntityDescription("Small", [attribute("number", .integer64)])

    private func earlier() throws -> EarlierStore {
        let text = String(repeating: "x", count: 10_000)
        return try EarlierStore(
            .sqlite, [Self.large, Self.small],
            rows: [
                "Large": Dictionary(uniqueKeysWithValues: (1...100).map { ($0, [.string(text)]) }),
                "Small": [1: [.integer(1)]],
            ])
    }

    private func migration(_ store: EarlierStore, _ entities: [EntityDescription], free: Int64?, backup: URL? = nil)
        throws -> SQLiteMigration
    {
        var options = MigrationOptions()
        options.backup = backup
        var migration = SQLiteMigration(
            path: store.url.path, model: try ManagedObjectModel(entities), options: options, busyTimeout: .seconds(5),
            dialect: SQLiteDialect(), durability: .normal)
        migration.room.free = { _ in free }
        return migration
    }

    @Test("a migration without enough disk space for a table's copy is rejected and changes nothing")
    func full() throws {
        let store = try earlier()
        let later = [EntityDescription("Large", [attribute("text", .string, optional: false)]), Self.small]
        let before = try Data(contentsOf: store.url)
        let error = failure { try migration(store, later, free: 1_500_000).run() }
        #expect(error?.code == .diskFull)
        #expect(error?.path == store.url.path)
        #expect(error?.message.hasPrefix("the migration needs 3 MB in ") == true, "\(error?.message ?? "none")")
        #expect(error?.message.hasSuffix(", but only 2 MB are free; nothing was changed") == true)
        #expect(try Data(contentsOf: store.url) == before)
        try migration(store, later, free: 4_000_000).run()
        #expect(try store.open(later).values("Large").count == 100)
    }

    @Test("rewriting a small table needs little disk space, and unknown free space permits a migration")
    func small() throws {
        let later = [Self.large, EntityDescription("Small", [attribute("number", .string)])]
        for free in [20_000, nil] as [Int64?] {
            let store = try earlier()
            try migration(store, later, free: free).run()
            #expect(try store.open(later).values("Small") == [1: [.string("1")]])
        }
        let store = try earlier()
        #expect(failure { try migration(store, later, free: 2_000).run() }?.code == .diskFull)
    }

    @Test("the free disk space of a folder is known, and that of a missing folder is unknown")
    func asked() throws {
        let folder = try TemporaryFolder()
        let room = DiskSpaceCheck(path: folder.file("store.sqlite").path)
        #expect(room.free(folder.url.path) != nil)
        #expect(room.free(folder.file("none").path) == nil)
    }

    @Test("a backup is not created if the free disk space is insufficient")
    func backup() throws {
        let store = try earlier()
        let later = [Self.large, EntityDescription("Small", [attribute("number", .string)])]
        let copy = store.folder.file("copy.sqlite")
        let error = failure { try migration(store, later, free: 500_000, backup: copy).run() }
        #expect(error?.message.hasPrefix("the copy needs 2 MB in ") == true, "\(error?.message ?? "none")")
        #expect(!FileManager.default.fileExists(atPath: copy.path))
        #expect(try store.open([Self.large, Self.small]).values("Small") == [1: [.integer(1)]])
    }
}
