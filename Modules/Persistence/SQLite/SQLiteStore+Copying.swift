package import Foundation
package import StrataCore

extension SQLiteStore {
    /// Writes one state of a store to a new file, by SQLite's own means.
    ///
    /// The store may be in use by others, stays as it is, and may stand where nothing can be written. The copy has all
    /// that the store has, its identifier too, and no log.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - copy: The new file.
    ///   - model: The model that the store was made with.
    /// - Throws: ``PersistenceError`` with the code for what hinders reading or writing; a `copy` that is there already
    ///   stays as it is.
    package static func copy(at url: URL, to copy: URL, model: ManagedObjectModel) throws {
        let store = try openUntouched(at: url, model: model)
        try store.writeCopy(to: copy)
        try store.close()
    }

    /// Writes the store's state of now to a new file; others may write the store meanwhile.
    ///
    /// - Throws: As ``copy(at:to:model:)``.
    package func writeCopy(to copy: URL) throws {
        try pool.withConnection { try $0.run("VACUUM INTO ?", .string(copy.path)) }
    }
}
