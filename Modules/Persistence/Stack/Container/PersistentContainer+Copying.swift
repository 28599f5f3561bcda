package import Foundation

extension PersistentContainer {
    /// Writes the store's state of now to a new file of its kind, without a lock that others would wait for.
    ///
    /// - Parameter url: The new file.
    /// - Returns: Where the copy is.
    /// - Throws: ``PersistenceError`` with the code for what hinders reading or writing, ``PersistenceError/Code/invalidRequest`` for a store
    ///   that is no file.
    package func writeCopy(to url: URL) throws -> PersistentStoreDescription {
        guard let store = coordinator.store as? SQLiteStore else {
            throw PersistenceError(.invalidRequest, "only a SQLite store is copied to a file")
        }
        try store.writeCopy(to: url)
        return .sqlite(at: url)
    }
}
