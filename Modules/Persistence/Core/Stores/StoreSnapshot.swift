/// One state of a store, read for as long as it is held.
///
/// ```swift
/// let snapshots = try store.openSnapshots(2)
/// let cursor = try snapshots[0].openCursor(StoreRequest("Color"))
/// ```
///
/// Snapshots that are opened together show the same state, whoever writes meanwhile, so that several threads can read parts of one
/// export. Each is for one thread at a time. It is given back by ``close()``, or when nobody holds it any more; a store that is closed
/// takes it back, and reading throws ``PersistenceError/Code/closed`` then.
///
/// Several cursors may be open at once. A cursor's body must not read from the snapshot; between two readings everything may.
public protocol StoreSnapshot: StoreReader, Sendable {
    /// The next identifier of each entity one of whose identifiers was ever given, by the entity's name.
    ///
    /// - Throws: ``PersistenceError`` when the store cannot be read.
    func identifierMarks() throws -> [String: Int64]

    /// The texts that users kept in the store, by their keys; see ``RowWriter/setMetadata(_:forKey:)``.
    ///
    /// - Throws: ``PersistenceError`` when the store cannot be read.
    func metadata() throws -> [String: String]

    /// Gives the snapshot back; later calls throw ``PersistenceError/Code/closed``, and calling it again does nothing.
    ///
    /// From inside a body that the snapshot gives rows to it ends cursors after the row they are at; a fetch goes on to its last row.
    func close()
}
