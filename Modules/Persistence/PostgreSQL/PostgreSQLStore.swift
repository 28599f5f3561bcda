#if PostgreSQL
import Foundation
public import StrataCore
import StrataSQL

/// A store that is a schema of a PostgreSQL database: any number of processes on any number of machines read and write it.
///
/// A save and a reader never wait for each other; two saves wait only where they change the same row. ``transaction(_:)`` and ``writeRows(_:)`` have
/// the store's writing alone, as long as they take.
public final class PostgreSQLStore: PersistentStore {
    /// The model the store was opened with.
    public let model: ManagedObjectModel

    let layout: SQLLayout
    let pool: PostgreSQLPool
    let isReadOnly: Bool
    /// Gives a row by its identifier, by the entity's name.
    let lookups: [String: String]
    /// What begins a transaction that writes with others, and one that writes alone.
    private let (sharing, excluding): ([String], [String])
    private let identifier: UUID
    /// What the store was when it was opened; `nil` where it follows in its first bulk write.
    let generation: PostgreSQLGeneration?
    /// What has the store follow in its first bulk write.
    let following: Guarded<PostgreSQLOpening?>
    /// How others are told what is written; `nil` where that was not asked for.
    let changeFeed: (any PostgreSQLChangeFeed)?
    /// What listens to others.
    let listening = Guarded<PostgreSQLListener?>(nil)
    /// The threads that write at the moment.
    private let writers = Guarded<Set<UInt>>([])

    init(
        _ pool: PostgreSQLPool, layout: SQLLayout, identifier: UUID, generation: PostgreSQLGeneration?,
        following: PostgreSQLOpening?, isReadOnly: Bool
    ) {
        (self.pool, self.layout, self.identifier, self.isReadOnly) = (pool, layout, identifier, isReadOnly)
        self.generation = generation
        self.following = Guarded(following)
        model = layout.model
        lookups = layout.model.entities.reduce(into: [:]) { lookups, entity in
            lookups[entity.name] = layout.selection(entity) + (generation.map { " AND \($0.condition)" } ?? "")
        }
        let questions = [PostgreSQLOutcome.question, generation?.column].compactMap(\.self)
        (sharing, excluding) = (
            pool.settings.beginning(.shared, beside: questions), pool.settings.beginning(.alone, beside: questions)
        )
        changeFeed = pool.settings.changeFeed(of: layout.model)
    }

    deinit {
        endListening()
        pool.close()
    }

    // MARK: What it is

    /// What the store is: kind, identifier, format version, and how many bytes its tables have on the server.
    public func information() throws -> StoreInformation {
        let bytes = try pool.withConnection { try $0.byteCount(of: pool.settings.schema) }
        return StoreInformation(kind: "PostgreSQL", identifier: identifier, formatVersion: 1, byteCount: bytes)
    }

    /// The text that was kept under a key.
    public func metadata(forKey key: String) throws -> String? {
        try pool.withConnection {
            try $0.texts(layout.metadataSelection, .string(SQLLayout.userKeyPrefix + key)).first
        }
    }

    /// Waits for calls under way and closes the connections.
    public func close() throws {
        try checkNotWriting()
        endListening()
        pool.close()
    }

    // MARK: Writing

    /// Throws where the store is open for reading only, or is being written on this thread.
    func checkWritable() throws {
        guard !isReadOnly else {
            throw PersistenceError(.readOnly, "the store is open for reading only", path: pool.settings.location)
        }
        try checkNotWriting()
    }

    private func checkNotWriting() throws {
        guard writers.withLock({ $0.contains(WriterLock.currentThreadNumber) }) else { return }
        throw PersistenceError(
            .invalidRequest,
            "the store is being written on this thread; save, make identifiers and close it before or after that")
    }

    /// How a transaction shares the store's writing with others.
    enum Writing {
        /// With others that change other rows.
        case shared
        /// With nobody.
        case alone
    }

    /// Runs `body` in a transaction that writes, and tells others the entities that it says were written.
    ///
    /// - Parameters:
    ///   - writing: How it shares the store's writing.
    ///   - opening: Has the store follow its model before `body`, where it has to: all of it is the transaction's alone then.
    ///   - body: What writes.
    /// - Returns: What `body` returns.
    /// - Throws: What `body` throws, or ``PersistenceError``; nothing is stored then, unless the error says that it is not known.
    func write<Result>(
        _ writing: Writing, following opening: PostgreSQLOpening? = nil,
        _ body: (PostgreSQLConnection, _ written: inout Set<String>) throws -> Result
    ) throws -> Result {
        try checkWritable()
        return try pool.withConnection { connection in
            let thread = WriterLock.currentThreadNumber
            writers.withLock { _ = $0.insert(thread) }
            defer { writers.withLock { _ = $0.remove(thread) } }
            var beginning =
                switch writing {
                case .shared: sharing
                case .alone: excluding
                }
            // Before the store's writing, as others take the two in that order.
            if opening != nil { beginning.insert(PostgreSQLGeneration.lockAlone, at: 1) }
            var begun: PostgreSQLResult?
            var ended: Result?
            do {
                return try connection.naming(generation) {
                    try connection.beginningAgain { hasAll in
                        try connection.inTransaction(beginning, answered: { begun = $0 }) {
                            try opening?.lockTables(on: connection)
                            hasAll = true
                            try opening?.follow(on: connection)
                            var written: Set<String> = []
                            let result = try body(connection, &written)
                            if let changeFeed, !written.isEmpty {
                                // What has failed before is the reason, where something has.
                                try connection.checkInTransaction()
                                try changeFeed.tell(written, on: connection)
                            }
                            ended = result
                            return result
                        }
                    }
                }
            } catch let error as PersistenceError where error.code == .unknownOutcome {
                guard let ended else { throw error }
                let number = begun?.text(row: 0, column: 1)
                try PostgreSQLOutcome(of: number, on: connection, pool.settings).find(after: error)
                return ended
            }
        }
    }

    /// Writes a set of changes in one transaction.
    public func save(_ changes: ChangeSet) throws -> [StoreConflict] {
        try model.checkNames(of: changes)
        do {
            try write(.shared) { connection, written in
                try SQLSaving(layout: layout, connection: connection).save(changes)
                written = model.entitiesWritten(by: changes)
            }
            return []
        } catch let found as ConflictsFound {
            return found.conflicts
        }
    }

    /// Takes the next identifiers in a short transaction of its own: one statement, which the entity's mark is locked by.
    public func reserveIdentifiers(_ count: Int, of entity: String) throws -> ClosedRange<Int64> {
        _ = try model.entity(named: entity)
        guard count >= 1 else {
            throw PersistenceError(.invalidRequest, "\(count) identifiers asked for; at least 1", entity: entity)
        }
        return try write(.shared) { connection, _ in
            let exhausted = PersistenceError.identifiersExhausted(entity)
            let table = SQLLayout.sequenceTable
            guard Int64(count) < identifierRange.upperBound else { throw exhausted }
            let next: Int64?
            do {
                next = try connection.number(
                    """
                    INSERT INTO \(table) (entity, next) VALUES ($1, $2 + 1) ON CONFLICT (entity) \
                    DO UPDATE SET next = \(table).next + $2 RETURNING next
                    """, .string(entity), .integer(Int64(count)))
            } catch let error as PersistenceError where error.code == .arithmetic {
                throw exhausted
            }
            guard let next, identifierRange.contains(next - 1) else { throw exhausted }
            return next - Int64(count)...next - 1
        }
    }
}
#endif
