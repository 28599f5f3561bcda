import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// Two stores over one file, as in two processes.
@Suite("Two stores over one file")
struct SharingTests {
    private func stores(busyTimeout: Duration = .seconds(5)) throws -> (SQLiteStore, SQLiteStore, TemporaryFolder) {
        let folder = try TemporaryFolder()
        let url = folder.file("store.sqlite")
        let model = try StoreContract.model()
        return (
            try SQLiteStore.open(at: url, model: model, busyTimeout: busyTimeout),
            try SQLiteStore.open(at: url, model: model, busyTimeout: busyTimeout), folder
        )
    }

    private func insertion(_ id: Int64) -> ChangeSet {
        var changes = ChangeSet()
        changes["Owner"].insertions = [.init(id: id, values: [.null, .integer(0), .null])]
        return changes
    }

    @Test("two stores over one file never reserve the same identifier")
    func identifiers() throws {
        let (first, second, folder) = try stores()
        let blocks = try [first, second, first].map { try $0.reserveIdentifiers(10, of: "Owner") }
        #expect(blocks == [1...10, 11...20, 21...30])
        withExtendedLifetime(folder) {}
    }

    @Test("each of two stores reads the saves of the other store, and a stale version is a conflict")
    func versions() throws {
        let (first, second, folder) = try stores()
        #expect(try first.save(insertion(1)).isEmpty)
        var change = ChangeSet()
        change["Owner"].updates = [
            .init(id: 1, expectedVersion: 1, values: [.null, .integer(5), .null], changedColumns: [1])
        ]
        #expect(try second.save(change).isEmpty)
        #expect(try first.save(change).map(\.stored?.version) == [2])
        #expect(try first.rows(StoreRequest("Owner")).map(\.values) == [[.null, .integer(5), .null]])
        withExtendedLifetime(folder) {}
    }

    @Test("a second writer waits at most for the busy timeout, and readers do not wait")
    func locked() throws {
        let (first, second, folder) = try stores(busyTimeout: .milliseconds(30))
        try first.insertRows(of: "Owner") { rows in
            _ = try rows.insert(
                id: nil, values: [.null, .integer(0), .null], location: RowLocation(line: 1, record: 1))
            let error = try persistenceError { _ = try second.save(insertion(9)) }
            #expect(error.code == .locked)
            #expect(
                error.message
                    == "another process or connection has held the store locked for longer than 0.03 seconds; "
                    + "try again, or raise the busy timeout")
            #expect(try second.count(StoreRequest("Owner")) == 0)
        }
        #expect(try second.count(StoreRequest("Owner")) == 1)
        #expect(try second.save(insertion(9)).isEmpty)
        withExtendedLifetime(folder) {}
    }

    @Test("many threads can read and write one store concurrently")
    func threads() async throws {
        let (first, second, folder) = try stores()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<8 {
                let store = number.isMultiple(of: 2) ? first : second
                group.addTask {
                    for _ in 1...10 {
                        let id = try store.reserveIdentifiers(1, of: "Owner").lowerBound
                        _ = try store.save(insertion(id))
                        let ids = try store.rows(StoreRequest("Owner")).map(\.id)
                        #expect(ids.contains(id) && ids == ids.sorted())
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try first.count(StoreRequest("Owner")) == 80)
        try first.close()
        try second.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store.sqlite"])
    }
}
