/// One state of a store, which can be read until the snapshot is closed.
///
/// ```swift
/// let snapshots = try store.openSnapshots(2)
/// let cursor = try snapshots[0].openCursor(StoreRequest("Color"))
/// ```
///
/// Snapshots that are opened together show the same state, even if others write in the meantime. Several threads can
/// therefore read parts of one export. One thread at a time may use a snapshot. ``close()`` releases the snapshot, as
/// does the release of its last reference. Closing the store also releases it; reading then throws
/// ``PersistenceError/Code/closed``.
///
/// Several cursors may be open at the same time. A cursor's body must not read from the snapshot; between two reads of
/// a cursor, every read is permitted.
public protocol StoreSnapshot: StoreReader, Sendable {
    /// Returns the next identifier of each entity for which an identifier was ever assigned, by the entity's name.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func identifierMarks() throws -> [String: Int64]

    /// Returns the texts that users keep in the store, by their keys; see ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    func metadata() throws -> [String: String]

    /// Releases the snapshot.
    ///
    /// Later calls throw ``PersistenceError/Code/closed``; a second call of this method does nothing. Inside a body
    /// that receives rows of the snapshot, the method ends cursors after their current row; a fetch continues to its
    /// last row.
    func close()
}
