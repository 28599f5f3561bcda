import Foundation
import StrataCore
import StrataInMemory

/// Has a store that was read follow another model.
struct AtomicMigration: Sendable {
    /// What a store needs to be one of the model's.
    enum Need {
        case nothing
        /// Only what it says of itself.
        case takeOver
        /// Rows have to follow.
        case migration
    }

    let need: Need
    let mapping: ModelMapping
    let options: MigrationOptions
    private let model: ManagedObjectModel

    /// Compares a store's model with another one; `nil` where the store is the model's, in every word.
    ///
    /// - Parameters:
    ///   - stored: The store.
    ///   - model: The other model.
    ///   - options: What whoever opens it lets happen.
    init?(_ stored: DecodedStore, to model: ManagedObjectModel, _ options: MigrationOptions) {
        if stored.isModelSame { return nil }
        (self.model, self.options) = (model, options)
        mapping = ModelMapping(from: stored.model, to: model)
        need = mapping.changesRows ? .migration : .takeOver
    }

    /// The store's rows as rows of the model.
    ///
    /// - Throws: As ``InMemoryStore/migrated(to:options:)``.
    func contents(_ stored: DecodedStore) throws -> InMemoryContents {
        try checkBackup()
        if need == .migration, options.mode == .refuse {
            throw PersistenceError.needsMigration(mapping.steps, "whoever opened it does not let it follow")
        }
        var options = options
        // The copy is made, and the commit is, when the file is written.
        options.backup = nil
        options.willCommit = {}
        options.didCommit = {}
        return try stored.store().migrated(to: model, options: options).contents()
    }

    /// The store's rows for a model from which only rules, defaults and the like differ, whatever rows say to those.
    func contentsToRead(_ stored: DecodedStore) throws -> InMemoryContents {
        guard need == .takeOver else {
            throw PersistenceError.needsMigration(mapping.steps, "is opened for reading only")
        }
        var options = MigrationOptions()
        options.keepsRowsThatBreakRules = true
        return try stored.store().migrated(to: model, options: options).contents()
    }

    // MARK: A copy

    private func checkBackup() throws {
        guard let backup = options.backup else { return }
        var status = stat()
        guard lstat(backup.path, &status) != 0 else {
            throw PersistenceError(
                .cannotCreate, "there is a file already; a copy of a store replaces nothing", path: backup.path)
        }
    }

    /// Copies the file as it is before the migration.
    func backUp(_ file: AtomicFile) throws {
        guard let backup = options.backup else { return }
        try checkBackup()
        let location = StoreLocation(backup.path)
        let bytes = try file.contents()
        let creation = StoreCreation(location: location, durability: file.durability, environment: file.environment)
        let copy = try creation.make { output in try bytes.withUnsafeBytes { try output.write($0) } }
        guard let copy else {
            throw PersistenceError(
                .cannotCreate, "there is a file already; a copy of a store replaces nothing", path: backup.path)
        }
        copy.close()
    }

    /// Removes the copy of a store that is as it was, and of which nobody needs one; one that cannot be removed does no harm.
    func removeBackup() {
        if let backup = options.backup { unlink(backup.path) }
    }
}
