package import Foundation
package import StrataPersistence

extension InMemoryStore {
    /// A store in memory with everything that the store in a file holds.
    ///
    /// That is rows with their identifiers and versions, pairs with their positions, the next identifiers and what
    /// users kept in the store. All is read from one state of the file, which stays as it is, byte for byte, and may
    /// stand where nothing can be written. Rows are checked by the model's rules as a save would, and references must
    /// lead somewhere: another program may have written the file.
    ///
    /// - Parameters:
    ///   - url: The SQLite store's file.
    ///   - model: The model that the store was made with.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeNotFound`` where there is no store, and
    ///   none is made; ``PersistenceError/Code/incompatibleModel`` for the store of another model;
    ///   ``PersistenceError/Code/validation`` or ``PersistenceError/Code/danglingReference`` for the first row that
    ///   breaks a rule.
    /// - Complexity: O(*n*) in the rows and pairs, all of which are in memory afterwards.
    package convenience init(copyOf url: URL, model: ManagedObjectModel) throws {
        let file = try SQLiteStore.openUntouched(at: url, model: model)
        do {
            let snapshots = try file.openSnapshots(1)
            defer { for snapshot in snapshots { snapshot.close() } }
            try self.init(copyOf: snapshots[0], model: model)
        } catch var error as PersistenceError {
            // The file is closed when the last reference to its store goes, which is here.
            if error.path == nil { error.path = url.path }
            throw error
        }
        try file.close()
    }
}
