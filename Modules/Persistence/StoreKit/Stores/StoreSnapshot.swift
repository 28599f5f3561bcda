import StrataCore

/// A snapshot of a store: one state that can be read until the snapshot is closed.
///
/// ```swift
/// let snapshots = try store.openSnapshots(2)
/// let cursor = try snapshots[0].openCursor(StoreRequest("Color"))
/// ```
///
/// Snapshots that are opened together have the same state, even if other writers change the store in the meantime.
/// Several threads can therefore export parts of one state. Only one thread at a time may use a snapshot. A snapshot is
/// released by ``close()``, with its last reference, or when its store is closed. A later read throws a
/// ``PersistenceError`` with code ``PersistenceError/Code/closed``.
///
/// Several cursors may be open at the same time. A closure that receives a cursor's row must not read from the
/// snapshot; between two reads of a cursor, every read is permitted.
///
/// ## Topics
///
/// ### Contents besides rows
///
/// - ``identifierMarks()``
/// - ``metadata()``
///
/// ### Closing
///
/// - ``close()``
public protocol StoreSnapshot: StoreReader, Sendable {
    /// Returns the next identifier of each entity that was ever assigned an identifier, by the entity's name.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func identifierMarks() throws -> [String: Int64]

    /// Returns the texts that callers have stored, by their keys; see ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func metadata() throws -> [String: String]

    /// Closes the snapshot and releases its state; a second call does nothing.
    ///
    /// Every later call throws a ``PersistenceError`` with code ``PersistenceError/Code/closed``. If the method is
    /// called inside a closure that receives a row of the snapshot, cursors end after their current row, and a fetch
    /// continues to its last row.
    func close()
}
