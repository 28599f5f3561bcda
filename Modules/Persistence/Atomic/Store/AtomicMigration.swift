import Foundation
import StrataCore
import StrataInMemory

/// The migration of a loaded store to another model.
struct AtomicMigration: Sendable {
    /// The change that a store requires for a model.
    enum Need {
        case nothing
        /// Only the stored model changes.
        case takeOver
        /// Rows must be migrated.
        case migration
    }

    let need: Need
    let mapping: ModelMapping
    let options: MigrationOptions
    private let model: ManagedObjectModel

    /// Compares a store's model with another one; returns `nil` if the two are identical.
    ///
    /// - Parameters:
    ///   - stored: The store.
    ///   - model: The other model.
    ///   - options: The options of the migration.
    init?(_ stored: DecodedStore, to model: ManagedObjectModel, _ options: MigrationOptions) {
        if stored.isModelSame { return nil }
        (self.model, self.options) = (model, options)
        mapping = ModelMapping(from: stored.model, to: model)
        need = mapping.changesRows ? .migration : .takeOver
    }

    /// Returns the migrated rows of the store.
    ///
    /// - Throws: The same errors as ``InMemoryStore/migrated(to:options:)``.
    func contents(_ stored: DecodedStore) throws -> InMemoryContents {
        try checkBackup()
        if need == .migration, options.mode == .refuse {
            throw PersistenceError.needsMigration(mapping.steps, "the options do not allow a migration")
        }
        var options = options
        // The backup and the commit take place when the file is written.
        options.backup = nil
        options.willCommit = {}
        options.didCommit = {}
        return try stored.store().migrated(to: model, options: options).contents()
    }

    /// Returns the store's rows for a model with the same columns, without validation by its rules.
    func contentsToRead(_ stored: DecodedStore) throws -> InMemoryContents {
        guard need == .takeOver else {
            throw PersistenceError.needsMigration(mapping.steps, "the store is open for reading only")
        }
        var options = MigrationOptions()
        options.keepsRowsThatBreakRules = true
        return try stored.store().migrated(to: model, options: options).contents()
    }

    // MARK: Backup

    private func checkBackup() throws {
        guard let backup = options.backup else { return }
        var status = stat()
        guard lstat(backup.path, &status) != 0 else {
            throw PersistenceError(
                .cannotCreate, "the file already exists; choose another name for the copy", path: backup.path)
        }
    }

    /// Copies the file before the migration.
    func backUp(_ file: AtomicFile) throws {
        guard let backup = options.backup else { return }
        try checkBackup()
        let location = StoreLocation(backup.path)
        let bytes = try file.contents()
        let creation = StoreCreation(location: location, durability: file.durability, environment: file.environment)
        let copy = try creation.make { output in try bytes.withUnsafeBytes { try output.write($0) } }
        guard let copy else {
            throw PersistenceError(
                .cannotCreate, "the file already exists; choose another name for the copy", path: backup.path)
        }
        copy.close()
    }

    /// Removes the backup after a failed migration; if it cannot be removed, it causes no harm.
    func removeBackup() {
        if let backup = options.backup { unlink(backup.path) }
    }
}
