import Foundation
import StrataCore
import StrataFiles
import StrataStoreKit
import StrataTesting
import Synchronization
import Testing

@testable import StrataAtomicStores

extension PersistentStore {
    /// Adds a note.
    func addNote(_ id: Int64, _ text: String = "note") throws {
        var changes = ChangeSet()
        changes["Note"].insertions = [.init(id: id, values: [.string(text), .null, .null, .null])]
        _ = try save(changes)
    }

    /// Returns the identifiers of the notes.
    func notes() throws -> [Int64] { try rows(StoreRequest("Note")).map(\.id) }
}

/// Replacement of the file: a process replaces the whole file or nothing, and only one process writes at a time.
@Suite("Writing stores in one file")
struct WritingTests {
    private func names(_ folder: TemporaryFolder) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    }

    private func status(_ url: URL) throws -> FileStatus {
        try #require(FileStatus(path: url.path))
    }

    // MARK: Locks

    @Test(
        "only one process at a time can write a store, and a reader sees the state from when it opened the store",
        arguments: FileKind.allCases)
    func locked(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        let first = try kind.open(url, model)
        try first.addNote(1)
        let error = failure { _ = try kind.open(url, model) }
        #expect(error?.code == .locked)
        #expect(error?.path == url.path)
        let reader = try kind.open(url, model, isReadOnly: true)
        try first.addNote(2)
        // The lock was moved from the old file to the new one.
        #expect(failure { _ = try kind.open(url, model) }?.code == .locked)
        #expect(try reader.notes() == [1])
        #expect(failure { try reader.addNote(3) }?.code == .readOnly)
        #expect(failure { _ = try reader.reserveIdentifiers(1, of: "Note") }?.code == .readOnly)
        #expect(failure { try reader.writeRows { _ in } }?.code == .readOnly)
        #expect(failure { try reader.transaction { _ in .commit } }?.code == .readOnly)
        try first.close()
        let second = try kind.open(url, model)
        #expect(try second.notes() == [1, 2])
        try second.close()
        try reader.close()
        #expect(try names(folder) == [url.lastPathComponent])
    }

    @Test(
        "opening a store within the busy timeout acquires the lock and reads earlier writes",
        arguments: FileKind.allCases)
    func waiting(_ kind: FileKind) async throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        let first = try kind.open(url, model)
        async let second = Task.detached { try kind.open(url, model, busyTimeout: .seconds(60)) }.value
        for id in 1...20 { try first.addNote(Int64(id)) }
        try first.close()
        let store = try await second
        #expect(try store.notes().count == 20)
        try store.close()
    }

    @Test("callers that create a store at the same time open one and the same store", arguments: FileKind.allCases)
    func racing(_ kind: FileKind) async throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        let identifiers = try await withThrowingTaskGroup(of: UUID.self) { group in
            for id in 1...8 {
                group.addTask {
                    let store = try kind.open(url, model, busyTimeout: .seconds(60))
                    try store.addNote(Int64(id))
                    let identifier = try store.information().identifier
                    try store.close()
                    return identifier
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(identifiers.count == 1)
        let store = try kind.open(url, model, isReadOnly: true)
        #expect(try store.notes() == Array(1...8))
        #expect(try names(folder) == [url.lastPathComponent])
    }

    @Test("a store that is released without being closed releases its lock", arguments: FileKind.allCases)
    func forgotten(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        do { try kind.open(url, model).addNote(1) }
        let store = try kind.open(url, model)
        #expect(try store.notes() == [1])
        try store.close()
        try store.close()
        #expect(failure { _ = try store.notes() }?.code == .closed)
        #expect(failure { try store.addNote(2) }?.code == .closed)
    }

    // MARK: Times of writing

    @Test("a save that changes nothing does not write the file", arguments: FileKind.allCases)
    func unchanged(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        let store = try kind.open(url, model)
        try store.addNote(1)
        let before = try status(url)
        _ = try store.save(ChangeSet())
        try store.writeRows { _ in }
        try store.transaction { _ in .commit }
        try store.transaction { transaction in
            var changes = ChangeSet()
            changes["Note"].deletions = [.init(id: 1, expectedVersion: 1)]
            _ = try transaction.save(changes)
            return .rollBack
        }
        // The deletion is a conflict.
        var changes = ChangeSet()
        changes["Note"].deletions = [.init(id: 1, expectedVersion: 7)]
        #expect(try store.save(changes).count == 1)
        _ = try store.reserveIdentifiers(5, of: "Note")
        #expect(try status(url) == before)
        try store.writeRows { try $0.setMetadata("x", forKey: "k") }
        #expect(try status(url) != before)
        // The reserved identifiers were written too.
        try store.close()
        let again = try kind.open(url, model)
        #expect(try again.reserveIdentifiers(1, of: "Note") == 7...7)
        try again.close()
        // Identifiers that were reserved and never written are free again.
        #expect(try kind.open(url, model).reserveIdentifiers(1, of: "Note") == 7...7)
    }

    @Test("a save that replaces one join row with another writes the file", arguments: FileKind.allCases)
    func exchangedPairs(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        let store = try kind.open(url, model)
        for id in 1...3 { try store.addNote(Int64(id)) }
        let (first, second) = (JoinPair(source: 1, target: 2), JoinPair(source: 1, target: 3))
        var pairs = JoinChanges()
        pairs.added = [JoinRow(first)]
        var changes = ChangeSet()
        changes.joins["Note_tags"] = pairs
        #expect(try store.save(changes).isEmpty)
        (pairs.removed, pairs.added) = ([first], [JoinRow(second)])
        changes.joins["Note_tags"] = pairs
        #expect(try store.save(changes).isEmpty)
        try store.close()
        let again = try kind.open(url, model, isReadOnly: true)
        #expect(try again.joins(JoinRequest("Note_tags")) == [JoinRow(second)])
        try again.close()
    }

    @Test("a reader does not wait while the file is written", arguments: FileKind.allCases)
    func readersGoOn(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        let seen = Mutex<[[Int64]]>([])
        let reader = Mutex<(any PersistentStore)?>(nil)
        var environment = AtomicEnvironment()
        environment.step = { step in
            guard step == .written, let store = reader.withLock({ $0 }) else { return }
            let notes = Result { try store.notes() }
            seen.withLock { $0.append((try? notes.get()) ?? [-1]) }
        }
        let store = try kind.open(url, model, in: environment)
        reader.withLock { $0 = store }
        try store.addNote(1)
        try store.addNote(2)
        #expect(seen.withLock { $0 } == [[], [1]])
        reader.withLock { $0 = nil }
        try store.close()
    }

    @Test("a write keeps the file's permissions and a symbolic link to it", arguments: FileKind.allCases)
    func permissions(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        try FileManager.default.createDirectory(at: folder.file("inner"), withIntermediateDirectories: false)
        let (url, link, model) = (folder.file("inner/real"), kind.file(in: folder), try Sample.small())
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "inner/real")
        // The store is created at the destination of the link.
        let store = try kind.open(link, model)
        #expect(chmod(url.path, 0o640) == 0)
        try store.addNote(1)
        #expect(try status(url).permissions == 0o640)
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "inner/real")
        #expect(try names(folder) == ["inner", link.lastPathComponent])
        #expect(failure { _ = try kind.open(url, model) }?.code == .locked)
        try store.close()
        try kind.provider(link).destroy(onlyIfEmpty: false, options: StoreOptions())
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == "inner/real")
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.file("inner").path).isEmpty)
    }

    @Test(
        "a save throws if another program has changed the file, and does not overwrite the file",
        arguments: FileKind.allCases)
    func changedElsewhere(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        let store = try kind.open(url, model)
        try store.addNote(1)
        let other = Data("another branch's file".utf8)
        try other.write(to: url)
        let error = failure { try store.addNote(2) }
        #expect(error?.code == .inputOutput)
        #expect(
            error?.message
                == "another program has changed the store's file since it was opened, and nothing was written; open the store again"
        )
        #expect(try Data(contentsOf: url) == other)
        #expect(try store.notes() == [1])
        try FileManager.default.removeItem(at: url)
        #expect(failure { try store.addNote(2) }?.code == .storeNotFound)
        #expect(try names(folder) == [])
        try store.close()
    }

    // MARK: Failures

    /// A disk with a limited number of free bytes, which accepts some at a time.
    private final class Disk: Sendable {
        private let left: Mutex<Int>
        private let interruptions = Mutex(0)
        let number: Int32

        init(_ left: Int, _ number: Int32 = ENOSPC) {
            self.left = Mutex(left)
            self.number = number
        }

        func set(_ count: Int) { left.withLock { $0 = count } }

        var environment: AtomicEnvironment {
            var environment = AtomicEnvironment()
            environment.write = { [self] descriptor, bytes, count in
                // Every other call is interrupted, and none writes more than a thousand bytes.
                if interruptions.withLock({ number in
                    number += 1
                    return number.isMultiple(of: 2)
                }) {
                    errno = EINTR
                    return -1
                }
                return left.withLock { left in
                    let taken = min(count, 1000, left)
                    guard taken > 0 else {
                        errno = number
                        return -1
                    }
                    left -= taken
                    return Foundation.write(descriptor, bytes, taken)
                }
            }
            return environment
        }
    }

    @Test(
        "a save that fails on a full disk keeps the old file, and the next save succeeds", arguments: FileKind.allCases,
        [
            (ENOSPC, PersistenceError.Code.diskFull), (EDQUOT, .diskFull), (EFBIG, .diskFull), (EIO, .inputOutput),
            (EACCES, .permissionDenied),
        ])
    func fullDisk(_ kind: FileKind, _ failing: (Int32, PersistenceError.Code)) throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        let disk = Disk(.max, failing.0)
        let store = try kind.open(url, model, in: disk.environment)
        try store.addNote(1, String(repeating: "long ", count: 2000))
        let before = try Data(contentsOf: url)
        for room in [0, 1, 999, 5000] {
            disk.set(room)
            let error = failure { try store.addNote(2) }
            #expect(error?.code == failing.1)
            #expect(error?.path == url.path)
            #expect(try Data(contentsOf: url) == before)
            #expect(try names(folder) == [url.lastPathComponent])
            #expect(try store.notes() == [1])
        }
        disk.set(.max)
        try store.addNote(2)
        try store.close()
        #expect(try kind.open(url, model, isReadOnly: true).notes() == [1, 2])
    }

    @Test(
        "creating a store on a full disk or in a missing folder throws and leaves no file", arguments: FileKind.allCases
    )
    func notMade(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        #expect(failure { _ = try kind.open(url, model, in: Disk(100).environment) }?.code == .diskFull)
        #expect(failure { _ = try kind.open(url, model, createsStore: false) }?.code == .storeNotFound)
        #expect(failure { _ = try kind.open(url, model, isReadOnly: true) }?.code == .storeNotFound)
        #expect(failure { _ = try kind.open(folder.file("no/such"), model) }?.code == .cannotCreate)
        #expect(failure { _ = try kind.open(folder.url, model) }?.code == .notADatabase)
        #expect(try names(folder) == [])
        // An empty file is not a store yet.
        try Data().write(to: url)
        #expect(failure { _ = try kind.open(url, model, createsStore: false) }?.code == .storeNotFound)
        #expect(failure { _ = try kind.open(url, model, isReadOnly: true) }?.code == .storeNotFound)
        let store = try kind.open(url, model)
        try store.addNote(1)
        try store.close()
        #expect(failure { _ = try kind.open(url.appendingPathComponent("in a file"), model) }?.code == .storeNotFound)
    }

    @Test(
        "a save that would exceed the maximum file size throws, and so does opening a larger file",
        arguments: FileKind.allCases)
    func tooLarge(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        var environment = AtomicEnvironment()
        environment.maximumByteCount = 20_000
        let store = try kind.open(url, model, in: environment)
        let before = try Data(contentsOf: url)
        let error = failure { try store.addNote(1, String(repeating: "x", count: 20_000)) }
        #expect(error?.code == .invalidRequest)
        #expect(error?.message.hasSuffix(" at most 20000; use a SQLite store for so many rows") == true)
        #expect(try Data(contentsOf: url) == before)
        #expect(try store.notes() == [])
        try store.addNote(1, String(repeating: "x", count: 9_000))
        try store.close()
        environment.maximumByteCount = 9_000
        for isReadOnly in [false, true] {
            #expect(
                failure { _ = try kind.open(url, model, isReadOnly: isReadOnly, in: environment) }?.code
                    == .invalidRequest)
        }
        #expect(AtomicEnvironment.maximumByteCount == 256 << 20)
    }

    @Test(
        "a file without write permission is opened read-only",
        .enabled(if: geteuid() != 0, "root may write everything"), arguments: FileKind.allCases)
    func protected(_ kind: FileKind) throws {
        let folder = try TemporaryFolder()
        let (url, model) = (kind.file(in: folder), try Sample.small())
        try kind.open(url, model).addNote(1)
        #expect(chmod(url.path, 0o400) == 0)
        let store = try kind.open(url, model)
        #expect(try store.notes() == [1])
        #expect(failure { try store.addNote(2) }?.code == .readOnly)
    }

    @Test(
        "a save with full durability throws if the folder cannot be written to the disk",
        arguments: FileKind.allCases, [Durability.full, .normal])
    func durable(_ kind: FileKind, _ durability: Durability) throws {
        let folder = try TemporaryFolder()
        let (place, moved) = (folder.file("place"), folder.file("moved"))
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: false)
        let (url, model) = (place.appendingPathComponent("store"), try Sample.small())
        // From the moment at which the new file has its name, the path opens like the folder and cannot be
        // synchronized.
        let isSwapped = Mutex(false)
        var environment = AtomicEnvironment()
        environment.step = { step in
            guard step == .renamed, isSwapped.withLock({ $0 }) else { return }
            #expect(rename(place.path, moved.path) == 0 && symlink("/dev/null", place.path) == 0)
        }
        var options = StoreOptions()
        options.durability = durability
        let provider = kind.provider(url, environment)
        /// Returns the error of a call that ends in such a folder.
        func swapped(_ body: () throws -> Void) -> PersistenceError? {
            isSwapped.withLock { $0 = true }
            defer {
                isSwapped.withLock { $0 = false }
                #expect(unlink(place.path) == 0 && rename(moved.path, place.path) == 0)
            }
            return failure(body)
        }
        func expectAsPromised(_ code: PersistenceError.Code, _ error: PersistenceError?) {
            guard durability == .full else {
                #expect(error == nil)
                return
            }
            #expect(error?.code == code)
            #expect(error?.message.contains("the folder cannot be written to the disk") == true)
        }
        expectAsPromised(.inputOutput, swapped { try provider.open(model, options: options).close() })
        let store = try provider.open(model, options: options)
        try store.addNote(1)
        #expect(try store.notes() == [1])
        // The file was written, so that the store and the next save have the file's contents.
        expectAsPromised(.unknownOutcome, swapped { try store.addNote(2) })
        #expect(try store.notes() == [1, 2])
        #expect(try kind.open(url, model, isReadOnly: true).notes() == [1, 2])
        try store.addNote(3)
        try store.close()
        #expect(try kind.open(url, model, isReadOnly: true).notes() == [1, 2, 3])
    }
}
