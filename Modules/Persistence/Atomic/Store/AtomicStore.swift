import Foundation
import StrataCore
import StrataInMemory
import StrataStoreKit

/// A store whose rows are all in memory and in one file; every write replaces the file.
///
/// Only one process at a time can have the store open for writing, and the file is locked meanwhile. A store that is
/// opened for reading only contains the rows of the moment of the opening. Readers wait neither for each other nor for
/// the file.
///
/// Reads are those of an ``InMemoryStore``. Writes change it, too; its closure writes each new state to the file before
/// readers see it. If the file cannot be written, the write fails and the state in memory is unchanged. The only
/// exception is the code ``PersistenceError/Code/unknownOutcome``, with which the new state is in the file, but perhaps
/// not durable.
final class AtomicStore: PersistentStore {
    /// The rows, whose changes are written to the file before readers see them.
    private let memory: InMemoryStore
    private let identifier: UUID
    private let format: any AtomicFormat
    private let path: String
    /// The writer of the store's file; `nil` if the store is open for reading only.
    private let keeper: StoreKeeper?
    /// The size of the file in bytes when it was opened for reading only.
    private let byteCount: Int

    /// Creates a store that is open for writing.
    init(
        _ contents: InMemoryContents, model: ManagedObjectModel, keeper: StoreKeeper
    ) {
        memory = InMemoryStore(contents, model: model) { try keeper.keep($0) }
        (identifier, format, self.keeper) = (keeper.title.identifier, keeper.format, keeper)
        (path, byteCount) = (keeper.file.location.name, 0)
    }

    /// Creates a store that is open for reading only.
    init(
        reading contents: InMemoryContents, model: ManagedObjectModel, identifier: UUID, format: any AtomicFormat,
        path: String, byteCount: Int
    ) {
        memory = InMemoryStore(contents, model: model) { _ in throw Self.readOnly(path) }
        (self.identifier, self.format, self.path, self.byteCount) = (identifier, format, path, byteCount)
        keeper = nil
    }

    deinit { keeper?.file.close() }

    private static func readOnly(_ path: String) -> PersistenceError {
        PersistenceError(.readOnly, "the store is open for reading only", path: path)
    }

    private func checkWritable() throws {
        if keeper == nil { throw Self.readOnly(path) }
    }

    var model: ManagedObjectModel { memory.model }

    /// A Boolean value that indicates whether the store was opened for reading only, or this process may not write its
    /// file.
    var isReadOnly: Bool { keeper == nil }

    /// Returns the kind, identifier and format version of the store, and the size of its file when this store last read
    /// or wrote it.
    func information() throws -> StoreInformation {
        _ = try memory.information()
        return StoreInformation(
            kind: format.kind, identifier: identifier, formatVersion: format.version,
            byteCount: keeper.map { $0.file.byteCount ?? 0 } ?? Int64(byteCount))
    }

    // MARK: Reading

    func fetch(_ request: ResolvedRequest, _ body: (RowReader) throws -> FetchFlow) throws {
        try memory.fetch(request, body)
    }

    func count(_ request: ResolvedRequest) throws -> Int { try memory.count(request) }
    func openCursor(_ request: ResolvedRequest) throws -> any RowCursor { try memory.openCursor(request) }

    func joins(_ request: ResolvedJoinRequest, _ body: (JoinRow) throws -> FetchFlow) throws {
        try memory.joins(request, body)
    }

    func openSnapshots(_ count: Int) throws -> [any StoreSnapshot] { try memory.openSnapshots(count) }
    func metadata(forKey key: String) throws -> String? { try memory.metadata(forKey: key) }
    // MARK: Writing

    func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try checkWritable()
        return try memory.save(changes)
    }

    /// Reserves identifiers of an entity; the next write stores the raised next identifier in the file.
    ///
    /// If the process ends before the next write, the identifiers can be assigned again.
    func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        try checkWritable()
        return try memory.reserveIdentifiers(count, of: entity)
    }

    func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        try checkWritable()
        try memory.writeRows(body)
        // If this write also migrates the store, the file is written in any case.
        if let keeper, keeper.isFollowing { try memory.withoutWriters { try keeper.keep($0) } }
    }

    func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try checkWritable()
        try memory.transaction(body)
    }

    /// Waits for running writers, and closes the file, which ends its lock.
    func close() throws {
        try memory.close()
        keeper?.file.close()
    }
}
