import Foundation
public import StrataCore

extension InMemoryStore {
    /// A store of another model with what this one's rows become: as a SQLite store follows it.
    ///
    /// This store stays as it is, so that rows prepared with an earlier model serve many tests of a migration.
    ///
    /// - Parameters:
    ///   - model: The other model.
    ///   - options: What may be dropped, and so on; a ``MigrationOptions/backup`` is nothing that memory has.
    /// - Returns: The store; a copy where the model is the same.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/incompatibleModel``, ``PersistenceError/Code/dataLoss`` or
    ///   ``PersistenceError/Code/validation`` where it cannot follow; `CancellationError`.
    /// - Complexity: O(*n* log *n*) in the rows and pairs.
    public func migrated(
        to model: ManagedObjectModel, options: MigrationOptions = MigrationOptions()
    ) throws -> InMemoryStore {
        guard options.backup == nil else {
            throw PersistenceError(.invalidRequest, "a store in memory has no file of which a copy could be made")
        }
        let state = try snapshotState()
        if try isSame(as: model) { return InMemoryStore(copying: state, model: model) }
        let mapping = ModelMapping(from: self.model, to: model)
        let route = try options.route(along: mapping)
        if mapping.isPhysical || route.hasCode, options.mode == .refuse {
            throw PersistenceError.needsMigration(mapping.steps, "whoever opened it does not let it follow")
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

    /// Whether rows of the store are rows of a model as they stand, in the order of its columns.
    private func isSame(as other: ManagedObjectModel) throws -> Bool {
        let (own, others) = (model.entities, other.entities)
        // Rows whose identifiers were the key of files would lose it.
        if zip(own, others).contains(where: { $0.external.idColumn != nil && $1.external.idColumn == nil }) {
            return false
        }
        if own.count == others.count, zip(own, others).allSatisfy({ $0.isSame(as: $1) }) { return true }
        return try model.json() == other.json() && ModelMapping(from: model, to: other).steps.isEmpty
    }

    /// What would happen if the store had to follow another model.
    ///
    /// - Parameters:
    ///   - model: The other model.
    ///   - options: How it would follow.
    /// - Returns: What would happen; no step where the model is the same.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/closed``, or with the reason for which a plan does not know the store.
    public func previewMigration(
        to model: ManagedObjectModel, options: MigrationOptions = MigrationOptions()
    ) throws -> MigrationPreview {
        let reader = InMemoryTransaction(try snapshotState(), self.model)
        let mapping = ModelMapping(from: self.model, to: model)
        return try options.route(along: mapping).preview(reader: reader, isCancelled: options.isCancelled)
    }
}
