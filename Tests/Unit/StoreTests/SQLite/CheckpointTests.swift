import Foundation
import PersistenceTestSupport
import StrataFiles
import StrataTestSupport
import StrataTesting
import Synchronization
import Testing

@testable import StrataCore
@testable import StrataSQL
@testable import StrataSQLite
@testable import StrataStoreKit

@Suite("Checkpoints of an SQLite store")
struct CheckpointTests {
    /// A store of large texts, and a connection of another program that stays open.
    ///
    /// While the other connection is open, closing the store does not move the log.
    fileprivate struct Shelf {
        let folder: TemporaryFolder
        let url: URL
        let store: SQLiteStore
        let other: SQLiteConnection

        init(busyTimeout: Duration = .zero) throws {
            folder = try TemporaryFolder()
            url = folder.file("shelf.sqlite")
            store = try SQLiteStore.open(at: url, model: Self.model(), busyTimeout: busyTimeout)
            other = try SQLiteConnection(path: url.path, access: .readWrite, busyTimeout: .zero)
            _ = try other.number("SELECT count(*) FROM Book")
        }

        static func model(_ attributes: [String] = []) throws -> ManagedObjectModel {
            try ManagedObjectModel([
                EntityDescription(
                    "Book",
                    [.attribute(AttributeDescription("text", .string))]
                        + attributes.map { .attribute(AttributeDescription($0, .string, isOptional: true)) })
            ])
        }

        /// Commits one book of a million bytes or of one byte.
        func add(_ id: Int64, isLarge: Bool = true) throws {
            var changes = ChangeSet()
            let text = String(repeating: "x", count: isLarge ? 1_000_000 : 1)
            changes["Book"].insertions = [.init(id: id, values: [.string(text)], version: 1)]
            #expect(try store.save(changes).isEmpty)
        }

        /// Commits several large books.
        func fill(_ ids: ClosedRange<Int64>) throws { for id in ids { try add(id) } }

        var counts: StoreLog.Checkpoints { store.checkpoint.withLock(\.counts) }

        func logFrames() throws -> Int { try store.withWriter { $0.logFrames } }

        /// Runs a checkpoint without a time limit.
        func checkpoint(_ wait: () throws -> Void = {}) throws {
            try store.withWriter { writer in
                try store.checkpoint.withLock {
                    try $0.run(on: writer, pool: store.pool, patience: .seconds(3_600), wait: wait)
                }
            }
        }
    }

    @Test("every connection turns SQLite's automatic checkpoints off")
    func noAutomaticCheckpoints() throws {
        let shelf = try Shelf()
        for access in [SQLiteConnection.Access.readWrite, .create, .readOnly, .immutable] {
            let connection = try SQLiteConnection(path: shelf.url.path, access: access, busyTimeout: .zero)
            #expect(try connection.number("PRAGMA wal_autocheckpoint") == 0, "\(access)")
        }
    }

    @Test("saves, bulk writes, migrations, checks and copies do not checkpoint a small log")
    func filesStay() throws {
        let shelf = try Shelf()
        // The log has more than the 1,000 pages of SQLite's automatic checkpoint, and less than Strata's interval.
        let stamp = FileStatus(path: shelf.url.path)?.stamp
        try shelf.fill(1...5)
        try shelf.store.writeRows { writer in
            let inserter = try writer.inserter(of: "Book", InsertOptions())
            for record in 1...5 {
                let text = StoredValue.string(String(repeating: "y", count: 1_000_000))
                try inserter.insert(id: nil, values: [text], location: RowLocation(line: record, record: record))
            }
        }
        let copy = shelf.folder.file("copy.sqlite")
        try SQLiteBackup(from: shelf.url.path, to: copy, busyTimeout: .zero).run()
        try shelf.store.close()
        let wider = try Shelf.model(["title"])
        try SQLiteStore.open(at: shelf.url, model: wider).close()
        #expect(try SQLiteStore.check(at: shelf.url, model: wider) { _ in }.rowCount == 10)
        #expect(FileStatus(path: shelf.url.path)?.stamp == stamp)
        #expect(try SQLiteStore.check(at: copy, model: try Shelf.model()) { _ in }.rowCount == 10)
    }

    @Test("a log of more than 16 MB is checkpointed, and the next commit restarts the log")
    func interval() throws {
        let shelf = try Shelf()
        try shelf.fill(1...16)
        #expect(shelf.counts == StoreLog.Checkpoints())
        let before = try shelf.logFrames()
        try shelf.add(17)
        #expect(shelf.counts.completed == 1)
        try shelf.add(18, isLarge: false)
        #expect(try shelf.logFrames() < before / 100)
        #expect(try shelf.store.information().log?.unmovedByteCount ?? .max < 100_000)
    }

    @Test("a reader of an older state delays a checkpoint until the log has grown by 16 MB, and is reported")
    func heldBack() throws {
        let shelf = try Shelf()
        try shelf.add(1)
        let reader = try #require(try shelf.store.openSnapshots(1).first)
        try shelf.fill(2...18)
        #expect(shelf.counts.heldBack == 1 && shelf.counts.completed == 0)
        let log = try #require(try shelf.store.information().log)
        #expect(log.unmovedByteCount > 16_000_000 && log.byteCount > 17_000_000)
        let found = try #require(log.reader)
        #if os(Linux)
        #expect(found.processID == getpid())
        #expect(found.processName != nil)
        #endif
        #expect(found.age >= .zero)
        reader.close()
        #expect(try shelf.store.information().log?.reader == nil)
        try shelf.fill(19...32)
        #expect(shelf.counts.heldBack == 1 && shelf.counts.completed == 0)
        try shelf.fill(33...35)
        #expect(shelf.counts.completed == 1)
    }

    /// The error of a checkpoint that does not end.
    private struct NoEnd: Error {}

    @Test("a checkpoint waits for all earlier readers, and a later reader does not prevent the log's restart")
    func waitsForReaders() throws {
        let shelf = try Shelf()
        var readers: [any StoreSnapshot] = []
        // SQLite has read marks for four states of the log.
        for id in 1...4 {
            try shelf.add(Int64(id))
            readers += try shelf.store.openSnapshots(1)
        }
        try shelf.add(5)
        try shelf.checkpoint {
            guard !readers.isEmpty else { throw NoEnd() }
            readers.removeFirst().close()
        }
        #expect(readers.isEmpty)
        #expect(shelf.counts.completed == 1)
        let last = try #require(try shelf.store.openSnapshots(1).first)
        try shelf.add(6, isLarge: false)
        #expect(try shelf.logFrames() < 100)
        last.close()
    }

    @Test("other connections cannot commit while a checkpoint waits for readers")
    func excludesWriters() throws {
        let shelf = try Shelf()
        try shelf.add(1)
        let reader = try #require(try shelf.store.openSnapshots(1).first)
        try shelf.add(2)
        var isTried = false
        try shelf.checkpoint {
            let error = #expect(throws: PersistenceError.self) { try shelf.other.execute("BEGIN IMMEDIATE") }
            #expect(error?.code == .locked)
            isTried = true
            reader.close()
        }
        #expect(isTried)
        try shelf.other.execute("BEGIN IMMEDIATE; ROLLBACK")
    }

    @Test("a checkpoint starts again if another process commits between the checkpoint's two parts")
    func commitInBetween() throws {
        // The second part of the checkpoint waits for the commit.
        let shelf = try Shelf(busyTimeout: .seconds(3_600))
        try shelf.add(1)
        let reader = try #require(try shelf.store.openSnapshots(1).first)
        try shelf.add(2)
        let path = shelf.url.path
        let finished = DispatchSemaphore(value: 0)
        let failure = Mutex<(any Error)?>(nil)
        var isStarted = false
        try shelf.checkpoint {
            reader.close()
            guard !isStarted else { return }
            isStarted = true
            // The commit waits for the lock, which the first part of the checkpoint releases.
            Thread.detachNewThread {
                do {
                    try SQLiteConnection(path: path, access: .readWrite, busyTimeout: .seconds(3_600))
                        .execute("UPDATE Book SET text = 'z' WHERE id = 1")
                } catch {
                    failure.withLock { $0 = error }
                }
                finished.signal()
            }
        }
        finished.wait()
        #expect(failure.withLock { $0 } == nil)
        #expect(shelf.counts.completed == 1)
        #expect(try shelf.other.text("SELECT text FROM Book WHERE id = 1") == "z")
    }

    @Test("a checkpoint is delayed while another process writes, and the earlier save stays stored")
    func lockedOut() throws {
        let shelf = try Shelf()
        try shelf.add(1)
        try shelf.other.execute("BEGIN IMMEDIATE")
        try shelf.store.withWriter { writer in
            try shelf.store.checkpoint.withLock { try $0.run(on: writer, pool: shelf.store.pool) }
        }
        #expect(shelf.counts.heldBack == 1)
        try shelf.other.execute("ROLLBACK")
        #expect(try shelf.store.count(StoreRequest("Book")) == 1)
    }

    @Test("a failed checkpoint is counted and reported, and does not fail the save")
    func failure() throws {
        let shelf = try Shelf()
        try shelf.fill(1...16)
        let broken = SQLiteConnectionPool(
            path: shelf.url.path, access: .readWrite, busyTimeout: .zero,
            first: try SQLiteConnection(path: shelf.url.path, access: .readWrite, busyTimeout: .zero), registration: nil
        )
        broken.connections.close()
        try shelf.store.withWriter { writer in
            var checkpoint = SQLiteCheckpoint()
            try writer.execute("INSERT INTO Book VALUES (17, 1, printf('%.1000000c', 'x'))")
            checkpoint.runIfNeeded(after: writer, pool: broken)
            #expect(checkpoint.counts.failed == 1 && checkpoint.counts.completed == 0)
            #expect(checkpoint.counts.lastFailure?.contains("the store was closed") == true)
            #expect(!writer.isInTransaction)
        }
        #expect(try shelf.store.count(StoreRequest("Book")) == 17)
    }

    @Test("checkpoints do not change the data version of the writing connection")
    func dataVersion() throws {
        let shelf = try Shelf()
        let version = try shelf.store.withWriter { try $0.number("PRAGMA data_version") }
        let count = Seeds.count(100, all: 1_000)
        for id in 1...count {
            try shelf.add(Int64(id), isLarge: false)
            try shelf.checkpoint()
        }
        #expect(shelf.counts.completed == count)
        #expect(try shelf.store.withWriter { try $0.number("PRAGMA data_version") } == version)
    }

    @Test(
        "a SQLite version with the checkpoint race is recognized and causes a warning",
        arguments: [
            (SQLiteVersion(3, 6, 23), false), (SQLiteVersion(3, 7, 0), true), (SQLiteVersion(3, 40, 1), true),
            (SQLiteVersion(3, 44, 5), true), (SQLiteVersion(3, 44, 6), false), (SQLiteVersion(3, 45, 0), true),
            (SQLiteVersion(3, 50, 6), true), (SQLiteVersion(3, 50, 7), false), (SQLiteVersion(3, 51, 2), true),
            (SQLiteVersion(3, 51, 3), false), (SQLiteVersion(3, 52, 0), false),
        ])
    func versions(_ version: SQLiteVersion, _ hasRace: Bool) {
        #expect(version.hasCheckpointRace == hasRace)
        #expect(version.warnings.isEmpty == !hasRace)
    }

    @Test("a store reports the version of its library and the state of a log that no reader delays")
    func information() throws {
        let shelf = try Shelf()
        try shelf.add(1)
        let information = try shelf.store.information()
        #expect(information.library == SQLiteVersion.current.description)
        #expect(information.warnings == SQLiteVersion.current.warnings)
        #expect(information.log?.reader == nil)
        #expect(information.log?.unmovedByteCount ?? 0 > 1_000_000)
    }
}

/// One writer and four overlapping readers, for the seconds of `STRATA_STRESS_SECONDS`.
@Suite("Checkpoints under load")
struct CheckpointStressTests {
    private static let duration = ProcessInfo.processInfo.environment["STRATA_STRESS_SECONDS"].flatMap { Int($0) }
    private static let limit: Int64 = 64 << 20

    @Test(
        "the log stays below 64 MB under overlapping readers",
        .enabled(if: duration != nil, "make test-stress sets STRATA_STRESS_SECONDS"))
    func overlappingReaders() async throws {
        let folder = try TemporaryFolder()
        let store = try SQLiteStore.open(at: folder.file("book.sqlite"), model: try CheckpointTests.Shelf.model())
        let deadline = ContinuousClock.now + .seconds(Self.duration ?? 0)
        let largest = try await withThrowingTaskGroup(of: Int64.self) { group in
            for reader in 0..<4 {
                group.addTask {
                    // Each reader begins while the others read.
                    try await Task.sleep(for: .milliseconds(12 * reader))
                    while ContinuousClock.now < deadline {
                        let snapshot = try #require(try store.openSnapshots(1).first)
                        try await Task.sleep(for: .milliseconds(50))
                        snapshot.close()
                    }
                    return 0
                }
            }
            group.addTask {
                var (id, largest) = (Int64(0), Int64(0))
                while ContinuousClock.now < deadline {
                    id += 1
                    var changes = ChangeSet()
                    let text = StoredValue.string(String(repeating: "x", count: 10_000))
                    changes["Book"].insertions = [.init(id: id, values: [text], version: 1)]
                    _ = try store.save(changes)
                    if id % 100 == 0 { largest = max(largest, try store.information().log?.byteCount ?? 0) }
                }
                return largest
            }
            return try await group.reduce(0, max)
        }
        print("the largest log: \(largest) bytes, \(store.checkpoint.withLock(\.counts))")
        #expect(largest < Self.limit)
    }
}
