import Foundation
import StrataCore
import StrataInMemory

/// A store that is in memory as a whole, and in one file: every write puts a new file in the place of the old one.
///
/// One process writes at a time, and has the file's lock for as long as it has the store open. Whoever opens it for reading only has the state of that moment.
/// Readers never wait, neither for each other nor for the file.
final class AtomicStore: PersistentStore {
    private let memory: InMemoryStore
    private let identifier: UUID
    private let format: any AtomicFormat
    private let path: String
    /// Writes the file; `nil` for a store that is open for reading only.
    private let keeper: StoreKeeper?
    private let byteCount: Int

    /// A store that is open for writing.
    init(
        _ contents: InMemoryContents, model: ManagedObjectModel, keeper: StoreKeeper
    ) {
        memory = InMemoryStore(contents, model: model) { try keeper.keep($0) }
        (identifier, format, self.keeper) = (keeper.title.identifier, keeper.format, keeper)
        (path, byteCount) = (keeper.file.location.name, 0)
    }

    /// A store that is open for reading only.
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

    /// Whether it was opened for reading, or cannot be written by this process.
    var isReadOnly: Bool { keeper == nil }

    /// Kind, identifier, version of the format, and the size of the file as it was written or read last.
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

    /// Takes identifiers, which reach the file with the next write: what was taken and never used is free again when the process is gone.
    func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        try checkWritable()
        return try memory.reserveIdentifiers(count, of: entity)
    }

    func writeRows(_ body: (any RowWriter) throws -> Void) throws {
        try checkWritable()
        try memory.writeRows(body)
        // Of a store that follows another model with this write the file is written in any case.
        if let keeper, keeper.isFollowing { try memory.withoutWriters { try keeper.keep($0) } }
    }

    func transaction(_ body: (any StoreTransaction) throws -> TransactionCompletion) throws {
        try checkWritable()
        try memory.transaction(body)
    }

    /// Waits for writers under way, and gives the file's lock back.
    func close() throws {
        try memory.close()
        keeper?.file.close()
    }
}
