public import Foundation

/// The source of a new store: one state of another store of any kind.
///
/// A copy has everything that the other store has: rows with their identifiers and versions, join rows with their
/// positions, the next identifiers, the texts of users, the model (that of the snapshot), and the identifier.
public struct StoreCopy: Sendable {
    /// The state, in a store that is open and remains open during the copy.
    public let snapshot: any StoreSnapshot
    /// The identifier of the store that is copied.
    public let identifier: UUID
    /// A Boolean value that indicates whether an existing store is replaced; otherwise it is an error.
    ///
    /// No other process or connection may have that store open. The store exists unchanged until the new one is
    /// complete.
    public var replacesStore = false
    /// A closure that receives the progress of the copy, on the thread that copies.
    ///
    /// It is called every few thousand rows and at the end.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// A closure that is called every few thousand rows and join rows and returns whether to cancel the copy.
    ///
    /// If it returns `true`, the copy throws `CancellationError` and everything is rolled back.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// A closure that is called once after everything is copied, before the new store is moved to its location.
    ///
    /// If the closure throws, everything is rolled back.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Creates a copy of one state.
    ///
    /// - Parameters:
    ///   - snapshot: The state.
    ///   - identifier: The identifier of the store that is copied.
    public init(_ snapshot: any StoreSnapshot, identifier: UUID) {
        self.snapshot = snapshot
        self.identifier = identifier
    }
}

/// A meter that counts the copied rows, reports the progress, and checks for cancellation.
package final class CopyMeter {
    private static let interval = 4096

    private let copy: StoreCopy
    private let totalRows: Int
    private var rows = 0
    private var steps = 0

    /// Creates a meter.
    ///
    /// - Throws: ``PersistenceError`` if the rows cannot be counted.
    package init(_ copy: StoreCopy) throws {
        self.copy = copy
        totalRows =
            try copy.progress == nil
            ? 0 : copy.snapshot.model.entities.reduce(0) { try $0 + copy.snapshot.count(StoreRequest($1.name)) }
    }

    /// Counts a row.
    ///
    /// - Throws: `CancellationError` if the copy was canceled.
    package func addRow() throws {
        rows += 1
        if try step() { reportProgress() }
    }

    /// Counts a step that is not a row.
    ///
    /// - Returns: Whether the call checked for cancellation.
    /// - Throws: `CancellationError` if the copy was canceled.
    @discardableResult
    package func step() throws -> Bool {
        steps += 1
        guard steps % Self.interval == 0 else { return false }
        if copy.isCancelled() { throw CancellationError() }
        return true
    }

    /// Reports that a part of the store is copied.
    ///
    /// - Throws: `CancellationError` if the copy was canceled.
    package func reach(_ part: Int, of whole: Int) throws {
        if copy.isCancelled() { throw CancellationError() }
        rows = whole > 0 ? Int(Double(totalRows) * Double(part) / Double(whole)) : totalRows
        reportProgress()
    }

    /// Reports that the store is copied, before it is moved to its location.
    ///
    /// - Throws: `CancellationError` if the copy was canceled.
    package func end() throws {
        if copy.isCancelled() { throw CancellationError() }
        rows = max(rows, totalRows)
        reportProgress()
        try copy.willCommit()
    }

    private func reportProgress() { copy.progress?(MigrationProgress(rows: rows, totalRows: max(rows, totalRows))) }
}
