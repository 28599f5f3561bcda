import Foundation
public import StrataCore
import StrataStoreKit

extension InMemoryStore {
    /// Returns a store of another model with the migrated rows of this store.
    ///
    /// The migration follows the same rules as that of a SQLite store. This store is unchanged, so that rows prepared
    /// with an earlier model can serve many tests of a migration.
    ///
    /// - Parameters:
    ///   - model: The other model.
    ///   - options: The options of the migration; a ``MigrationOptions/backup`` is not possible in memory.
    /// - Returns: The store, or a copy if the model is the same.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/incompatibleModel``,
    ///   ``PersistenceError/Code/dataLoss`` or ``PersistenceError/Code/validation`` if the store cannot be migrated;
    ///   `CancellationError`.
    /// - Complexity: O(*n* log *n*) in the count of rows and join rows.
    public func migrated(
        to model: ManagedObjectModel, options: MigrationOptions = MigrationOptions()
    ) throws -> InMemoryStore {
        guard options.backup == nil else {
            throw PersistenceError(.invalidRequest, "a store in memory has no file that can be copied")
        }
        let state = try snapshotState()
        if try isSame(as: model) { return InMemoryStore(copying: state, model: model) }
        let mapping = ModelMapping(from: self.model, to: model)
        let route = try options.route(along: mapping)
        if mapping.isPhysical || route.hasCode, options.mode == .refuse {
            throw PersistenceError.needsMigration(mapping.steps, "the options do not allow a migration")
        }
        var current = state
        for stage in route.stages {
            var allowed = options
            allowed.drops = options.drops.union(stage.drops)
            let reader = InMemoryTransaction(current, stage.mapping.source)
            try MigrationCheck(
                stage.mapping, reader: reader, made: Set(stage.transforms.keys), isCancelled: options.isCancelled
            ).run(allowed)
            current = try InMemoryMigration(stage, of: current, options).state()
        }
        try options.willCommit()
        let store = InMemoryStore(copying: current, model: model)
        options.didCommit()
        return store
    }

    /// Returns a Boolean value that indicates whether rows of the store are valid for a model without any change.
    private func isSame(as other: ManagedObjectModel) throws -> Bool {
        let (own, others) = (model.entities, other.entities)
        // Rows whose identifiers were the key of files would lose that key.
        if zip(own, others).contains(where: { $0.external.idColumn != nil && $1.external.idColumn == nil }) {
            return false
        }
        if own.count == others.count, zip(own, others).allSatisfy({ $0.isSame(as: $1) }) { return true }
        return try model.json() == other.json() && ModelMapping(from: model, to: other).steps.isEmpty
    }

    /// Returns a preview of the migration of the store to another model.
    ///
    /// - Parameters:
    ///   - model: The other model.
    ///   - options: The options of the migration.
    /// - Returns: The preview; it has no steps if the model is the same.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``, or with the reason why a plan does
    ///   not apply to the store.
    public func previewMigration(
        to model: ManagedObjectModel, options: MigrationOptions = MigrationOptions()
    ) throws -> MigrationPreview {
        let reader = InMemoryTransaction(try snapshotState(), self.model)
        let mapping = ModelMapping(from: self.model, to: model)
        return try options.route(along: mapping).preview(reader: reader, isCancelled: options.isCancelled)
    }
}
