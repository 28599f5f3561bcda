public import Foundation
public import StrataCore

/// The source for creating a new store as a copy: one state of another store of any kind.
///
/// The new store has all contents of the other one: rows with their identifiers and versions, join rows with their
/// positions, the next identifiers, the callers' metadata texts, the snapshot's model, and the store's identifier.
///
/// A provider copies the snapshot as a whole or not at all. Other writers can change the source store meanwhile, and do
/// not affect the copy.
public struct StoreCopy: Sendable {
    /// The snapshot to copy; its store must remain open during the copy.
    public let snapshot: any StoreSnapshot
    /// The identifier of the copied store, which the new store gets.
    public let identifier: UUID
    /// A Boolean value that indicates whether a store that exists at the new location is replaced.
    ///
    /// If it is `false`, such a store fails the copy. If it is `true`, no other process or connection may have that
    /// store open; it remains unchanged until the new store is complete.
    public var replacesStore = false
    /// A Boolean value that indicates whether the copy keeps the history of the store, with an epoch of its own.
    ///
    /// Only a copy from a SQLite file to a SQLite file can keep it.
    public var keepsHistory = true
    /// A closure that receives the progress of the copy, on the thread that copies; `nil` if it is not reported.
    ///
    /// It is called every few thousand rows and at the end.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// A closure that returns whether to cancel the copy, called every few thousand rows and join rows.
    ///
    /// If it returns `true`, the copy is rolled back and throws `CancellationError`.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// A closure that is called once after everything is copied, before the new store is moved to its location.
    ///
    /// If it throws an error, the copy is rolled back.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Creates the source for a copy from a snapshot.
    ///
    /// - Parameters:
    ///   - snapshot: The snapshot to copy.
    ///   - identifier: The identifier of the copied store.
    public init(_ snapshot: any StoreSnapshot, identifier: UUID) {
        self.snapshot = snapshot
        self.identifier = identifier
    }
}

/// A counter of copied rows that reports the progress of a copy and checks whether the copy is canceled.
///
/// A store calls ``addRow()`` for each row, ``step()`` for each join row, and ``end()`` once before it makes the new
/// store visible. Only the thread that copies uses it.
package final class CopyMeter {
    private static let interval = 4096

    private let copy: StoreCopy
    private let totalRows: Int
    private var rows = 0
    private var steps = 0

    /// Creates a counter for a copy.
    ///
    /// - Throws: ``PersistenceError`` if the rows of the snapshot cannot be counted.
    package init(_ copy: StoreCopy) throws {
        self.copy = copy
        totalRows =
            try copy.progress == nil
            ? 0 : copy.snapshot.model.entities.reduce(0) { try $0 + copy.snapshot.count(StoreRequest($1.name)) }
    }

    /// Counts a copied row.
    ///
    /// - Throws: `CancellationError` if the copy is canceled.
    package func addRow() throws {
        rows += 1
        if try step() { reportProgress() }
    }

    /// Counts a step of the copy that is not a row.
    ///
    /// - Returns: A Boolean value that indicates whether the call has checked for cancellation.
    /// - Throws: `CancellationError` if the copy is canceled.
    @discardableResult
    package func step() throws -> Bool {
        steps += 1
        guard steps % Self.interval == 0 else { return false }
        if copy.isCancelled() { throw CancellationError() }
        return true
    }

    /// Reports the progress of a copy as a part of a whole, such as copied bytes of all bytes.
    ///
    /// - Throws: `CancellationError` if the copy is canceled.
    package func reach(_ part: Int, of whole: Int) throws {
        if copy.isCancelled() { throw CancellationError() }
        rows = whole > 0 ? Int(Double(totalRows) * Double(part) / Double(whole)) : totalRows
        reportProgress()
    }

    /// Reports that all rows are copied, before the new store is moved to its location.
    ///
    /// - Throws: `CancellationError` if the copy is canceled.
    package func end() throws {
        if copy.isCancelled() { throw CancellationError() }
        rows = max(rows, totalRows)
        reportProgress()
        try copy.willCommit()
    }

    private func reportProgress() { copy.progress?(MigrationProgress(rows: rows, totalRows: max(rows, totalRows))) }
}
