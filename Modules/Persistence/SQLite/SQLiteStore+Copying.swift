package import Foundation
package import StrataCore

extension SQLiteStore {
    /// Writes one snapshot of a store to a new file, with SQLite's own `VACUUM INTO`.
    ///
    /// The store remains unchanged. Others may use it meanwhile, and its folder may be read-only. The copy contains
    /// everything in the store, including its identifier, and has no log.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - copy: The new file.
    ///   - model: The model with which the store was created.
    /// - Throws: ``PersistenceError`` if reading or writing fails; an existing file at `copy` remains unchanged.
    package static func copy(at url: URL, to copy: URL, model: ManagedObjectModel) throws {
        let store = try openUntouched(at: url, model: model)
        try store.writeCopy(to: copy)
        try store.close()
    }

    /// Writes a snapshot of the store to a new file; others may write the store meanwhile.
    ///
    /// - Throws: The errors of ``copy(at:to:model:)``.
    package func writeCopy(to copy: URL) throws {
        try pool.withConnection { try $0.run("VACUUM INTO ?", .string(copy.path)) }
    }
}
