public import Foundation

/// What a new store is made of: one state of another one, of whatever kind.
///
/// A copy has all that the other store has: rows with their identifiers and versions, pairs with their positions, the next identifiers, what users keep in
/// it, the model (that of the snapshot), and its identifier.
public struct StoreCopy: Sendable {
    /// The state, of a store that is open, and stays so while it is copied.
    public let snapshot: any StoreSnapshot
    /// The identifier of the store that is copied.
    public let identifier: UUID
    /// Whether a store that is there already is replaced; it is an error otherwise.
    ///
    /// Nobody else may have it open, and it is there as before until the new one is whole.
    public var replacesStore = false
    /// Told how far the copy is, on the thread that copies: every few thousand rows, and at its end.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// Asked every few thousand rows and pairs; true takes everything back with `CancellationError`.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// Called once when all is copied and before it is put in its place; what it throws takes everything back.
    public var willCommit: @Sendable () throws -> Void = {}

    /// A copy of one state.
    ///
    /// - Parameters:
    ///   - snapshot: The state.
    ///   - identifier: The identifier of the store that is copied.
    public init(_ snapshot: any StoreSnapshot, identifier: UUID) {
        self.snapshot = snapshot
        self.identifier = identifier
    }
}

/// Counts what is copied, tells whoever wants to know, and asks whether it goes on.
package final class CopyMeter {
    private static let interval = 4096

    private let copy: StoreCopy
    private let totalRows: Int
    private var rows = 0
    private var steps = 0

    /// - Throws: ``PersistenceError`` where the rows cannot be counted.
    package init(_ copy: StoreCopy) throws {
        self.copy = copy
        totalRows =
            try copy.progress == nil
            ? 0 : copy.snapshot.model.entities.reduce(0) { try $0 + copy.snapshot.count(StoreRequest($1.name)) }
    }

    /// Counts a row.
    ///
    /// - Throws: `CancellationError` when the copy is not wanted any more.
    package func addRow() throws {
        rows += 1
        if try step() { tell() }
    }

    /// Goes on by something that is no row.
    ///
    /// - Returns: Whether it was asked whether it goes on.
    /// - Throws: `CancellationError` when the copy is not wanted any more.
    @discardableResult
    package func step() throws -> Bool {
        steps += 1
        guard steps % Self.interval == 0 else { return false }
        if copy.isCancelled() { throw CancellationError() }
        return true
    }

    /// Says that a share of all is copied.
    ///
    /// - Throws: `CancellationError` when the copy is not wanted any more.
    package func reach(_ part: Int, of whole: Int) throws {
        if copy.isCancelled() { throw CancellationError() }
        rows = whole > 0 ? Int(Double(totalRows) * Double(part) / Double(whole)) : totalRows
        tell()
    }

    /// Says that all is copied, and is about to be put in its place.
    ///
    /// - Throws: `CancellationError` when the copy is not wanted any more.
    package func end() throws {
        if copy.isCancelled() { throw CancellationError() }
        rows = max(rows, totalRows)
        tell()
        try copy.willCommit()
    }

    private func tell() { copy.progress?(MigrationProgress(rows: rows, totalRows: max(rows, totalRows))) }
}
