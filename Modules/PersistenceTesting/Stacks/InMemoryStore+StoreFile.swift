package import Foundation
package import StrataPersistence
import StrataStoreKit

extension InMemoryStore {
    /// Creates a store in memory with all data of a store in a file.
    ///
    /// The data are rows with their identifiers and versions, join rows with their positions, the next identifiers, and
    /// the metadata of users. All data is read from one snapshot of the file. The file is unchanged, byte for byte, and
    /// may be in a read-only location. Another program may have written the file. The rows are therefore checked by the
    /// model's rules as in a save, and dangling references are rejected.
    ///
    /// - Parameters:
    ///   - url: The file of the SQLite store.
    ///   - model: The model of the store.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeNotFound`` if there is no store, and none
    ///   is created; ``PersistenceError/Code/incompatibleModel`` if the store has another model;
    ///   ``PersistenceError/Code/validation`` or ``PersistenceError/Code/danglingReference`` for the first row that
    ///   breaks a rule.
    /// - Complexity: O(*n*) in the number of rows and join rows, all of which are in memory afterwards.
    package convenience init(copyOf url: URL, model: ManagedObjectModel) throws {
        let file = try SQLiteStore.openUntouched(at: url, model: model)
        do {
            let snapshots = try file.openSnapshots(1)
            defer { for snapshot in snapshots { snapshot.close() } }
            try self.init(copyOf: snapshots[0], model: model)
        } catch var error as PersistenceError {
            // The file is closed when the last reference to its store is released, which happens here.
            if error.path == nil { error.path = url.path }
            throw error
        }
        try file.close()
    }
}
