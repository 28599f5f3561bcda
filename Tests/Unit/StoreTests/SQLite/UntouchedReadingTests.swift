import Foundation
import PersistenceTestSupport
import StrataPersistence
import StrataStoreKit
import StrataTesting
import Testing

/// A store that is read without locks must not change meanwhile.
@Suite("Reading a store without locks")
struct UntouchedReadingTests {
    @Test("a read without locks fails if another process writes the file during the read")
    func writtenMeanwhile() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("library.sqlite")
        let file = try SQLiteStore.open(at: url, model: try Library.model())
        try Library.fill(file)
        try file.close()
        let readings: [(String, (any StoreSnapshot, () throws -> Void) throws -> Void)] = [
            ("rows", { snapshot, write in try snapshot.fetch(StoreRequest("Book")) { _ in try Self.once(write) } }),
            (
                "a count",
                { snapshot, write in
                    try write()
                    _ = try snapshot.count(StoreRequest("Book"))
                }
            ),
            (
                "pairs",
                { snapshot, write in try snapshot.joins(JoinRequest("Book_tags")) { _ in try Self.once(write) } }
            ),
        ]
        for (number, (name, read)) in readings.enumerated() {
            let store = try SQLiteStore.openUntouched(at: url, model: try Library.model())
            let snapshot = try #require(try store.openSnapshots(1).first)
            try read(snapshot, {})
            let error = try persistenceError {
                try read(snapshot) {
                    let size = try Data(contentsOf: url).count
                    try FileManager.default.setAttributes(
                        [.modificationDate: Date(timeIntervalSinceReferenceDate: Double(number * 1000 + size))],
                        ofItemAtPath: url.path)
                }
            }
            #expect(error.code == .locked, "\(name)")
            #expect(error.message.hasPrefix("the store was written while it was read"), "\(name)")
            snapshot.close()
            try? store.close()
        }
    }

    private static func once(_ write: () throws -> Void) throws -> FetchFlow {
        try write()
        return .next
    }
}
