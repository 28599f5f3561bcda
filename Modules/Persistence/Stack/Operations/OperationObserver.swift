import StrataCore

/// An object that receives the beginning and the end of each operation on a store, for logs, metrics and traces.
///
/// ```swift
/// struct SlowOperations: OperationObserver {
///     func operationDidBegin(_ operation: StoreOperation) -> UInt64 { 0 }
///
///     func operationDidEnd(_ token: UInt64, _ outcome: OperationOutcome) {
///         guard outcome.duration > .milliseconds(100) else { return }
///         let plan = try? outcome.explanation()?.plan
///         print(outcome.operation.kind, outcome.operation.entity ?? "", outcome.duration, plan ?? "")
///     }
/// }
/// ```
///
/// Set ``PersistentStoreDescription/operationObserver`` before a container opens the store. Both methods run on the
/// thread of the operation, at the same time on several threads, and the operation waits for them. They must return
/// quickly, and must not use the contexts of the container.
///
/// The task-local values of the caller, such as the current span of a trace, are available in
/// ``operationDidBegin(_:)``.
public protocol OperationObserver: Sendable {
    /// Receives the beginning of an operation.
    ///
    /// - Parameter operation: The operation.
    /// - Returns: A number that the end of this operation receives, such as the number of a span.
    func operationDidBegin(_ operation: StoreOperation) -> UInt64

    /// Receives the end of an operation, also if it failed.
    ///
    /// - Parameters:
    ///   - token: The number that ``operationDidBegin(_:)`` returned for this operation.
    ///   - outcome: The result of the operation.
    func operationDidEnd(_ token: UInt64, _ outcome: OperationOutcome)
}

/// One operation of a container on its store.
///
/// The documentation of each property names the attribute of OpenTelemetry's conventions for databases.
public struct StoreOperation: Sendable, Hashable {
    /// The kinds of operations.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The store is opened, and created or migrated if this is necessary.
        case open
        /// Rows are read.
        case fetch
        /// Rows are counted.
        case count
        /// Columns, groups or aggregates are read.
        case select
        /// The references between the rows of a tree are read.
        case tree
        /// The join rows of a many-to-many relationship are read.
        case join
        /// A context saves.
        case save
        /// Rows are updated or deleted without objects.
        case batch
        /// Rows are inserted without objects, such as by an import.
        case insert
    }

    /// The kind of the operation (`db.operation.name`).
    public let kind: Kind
    /// The kind of the store in lowercase, such as `sqlite` or `postgresql` (`db.system.name`).
    public let system: String
    /// The name of the store's file; `nil` if the store is not in a file (`db.namespace`).
    public let file: String?
    /// The name of the entity, or of the join table; `nil` if the operation is on several (`db.collection.name`).
    public let entity: String?
}

/// The result of an operation on a store.
public struct OperationOutcome: Sendable {
    /// The operation.
    public let operation: StoreOperation
    /// The time from the beginning to the end, including the ``wait`` and the time in which the caller used the rows
    /// (`db.client.operation.duration`).
    public let duration: Duration
    /// The time for which the operation waited for a free connection, or for another writer of this container
    /// (`db.client.connection.wait_time`).
    ///
    /// The waits for locks of other processes are not included.
    public let wait: Duration
    /// The count of rows that were read or written (`db.response.returned_rows`).
    public let rows: Int
    /// The error by which the operation failed; `nil` if it succeeded (`error.type`).
    public let error: (any Error)?

    let explain: (@Sendable () throws -> StatementExplanation?)?

    /// Returns the statement of a fetch, a count or a selection, with the database's plan for it.
    ///
    /// The database makes the plan in this call, on a separate connection.
    ///
    /// - Returns: The explanation; `nil` for other operations, and for stores that are no databases.
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    public func explanation() throws -> StatementExplanation? { try explain?() }
}
