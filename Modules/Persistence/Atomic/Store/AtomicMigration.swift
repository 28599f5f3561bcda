import Foundation
import StrataCore
import StrataFiles
import StrataInMemory
import StrataStoreKit

/// The migration of a store that was read from its file to another model.
struct AtomicMigration: Sendable {
    /// The operation that adapts a store to a model.
    enum Need {
        case nothing
        /// The stored model is replaced, and the rows remain unchanged.
        case takeOver
        /// Rows must be migrated.
        case migration
    }

    let need: Need
    let mapping: ModelMapping
    let options: MigrationOptions
    private let model: ManagedObjectModel

    /// Creates the migration of a store to a model; `nil` if the stored model is identical to that model.
    ///
    /// - Parameters:
    ///   - stored: The store that was read from its file.
    ///   - model: The model to which the store is migrated.
    ///   - options: The options of the migration.
    init?(_ stored: DecodedStore, to model: ManagedObjectModel, _ options: MigrationOptions) {
        if stored.isModelSame { return nil }
        (self.model, self.options) = (model, options)
        mapping = ModelMapping(from: stored.model, to: model)
        need = mapping.changesRows ? .migration : .takeOver
    }

    /// Returns the rows of the store after the migration.
    ///
    /// - Throws: The errors of ``InMemoryStore/migrated(to:options:)``.
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

    /// Returns the rows of the store for a model with the same columns; the rules of that model are not checked.
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
        guard let backup = options.backup, FileStatus(path: backup.path, followsLinks: false) != nil else { return }
        throw PersistenceError(
            .cannotCreate, "the file already exists; choose another name for the copy", path: backup.path)
    }

    /// Copies the store's file to the location of the backup, before the migration.
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

    /// Removes the backup after a failed migration; errors are ignored, because a remaining file causes no harm.
    func removeBackup() {
        if let backup = options.backup { unlink(backup.path) }
    }
}
