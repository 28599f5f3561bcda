import StrataCore

extension PersistentContainer {
    /// Checks a whole store.
    ///
    /// The check covers the file, its tables and indexes, references, uniqueness, the counts of relationships and the
    /// next identifiers. It also validates every row by the model's rules and its record's initializer.
    ///
    /// ```swift
    /// let summary = try PersistentContainer.check(model: model, .sqlite(at: url)) { fault in print(fault) }
    /// print(summary.faultCount == 0 ? "ok" : "\(summary.faultCount) faults")
    /// ```
    ///
    /// Without repairs, the check only reads one snapshot of the store, and other processes may use the store. With
    /// ``StoreCheckOptions/repairs``, the check also rebuilds everything that it can derive with certainty. This takes
    /// one transaction, which needs exclusive access to the store. Before that transaction, rows are updated to the
    /// values that their records store, in one transaction for each entity. The check reports the remaining faults.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - description: The store, which must exist.
    ///   - options: The options of the check.
    ///   - report: A closure that receives the faults one by one; the check retains none of them.
    /// - Returns: The number of faults, and the repairs.
    /// - Throws: ``PersistenceError``: with code ``PersistenceError/Code/corrupt`` or
    ///   ``PersistenceError/Code/notADatabase`` for a file whose header or schema cannot be read;
    ///   ``PersistenceError/Code/storeNotFound``; ``PersistenceError/Code/locked`` for a repair of a store that is open
    ///   elsewhere; or ``PersistenceError/Code/invalidRequest`` for a store in memory, which does not exist before it
    ///   is opened. Also `CancellationError` and the errors of `report`. Nothing is changed then.
    /// - Complexity: O(*n* log *n*) in the number of rows; constant memory.
    @discardableResult
    public static func check(
        model: ManagedObjectModel, _ description: PersistentStoreDescription,
        options: StoreCheckOptions = StoreCheckOptions(), _ report: (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        let provider = description.provider
        let hasForms = model.entities.contains { model.form(of: $0.name) != nil }
        guard options.repairs, hasForms else {
            return try provider.check(model, options: description.options, options, report: report)
        }
        var look = options
        (look.repairs, look.progress) = (false, { _ in })
        var hasOtherValues = false
        _ = try provider.check(model, options: description.options, look) { fault in
            if fault.kind == .rule, fault.isRepairable { hasOtherValues = true }
        }
        let completion: (repairs: [String], failures: [String]) =
            try hasOtherValues ? RowCompletion(model: model, description: description).run(options) : ([], [])
        let rest = try provider.check(model, options: description.options, options, report: report)
        var summary = StoreCheckSummary(
            faultCount: rest.faultCount, rowCount: rest.rowCount, repairs: completion.repairs + rest.repairs,
            failures: completion.failures + rest.failures)
        summary.warnings = rest.warnings
        return summary
    }
}

/// An operation that updates the rows of a closed store to the values that their records store.
private struct RowCompletion {
    let model: ManagedObjectModel
    let description: PersistentStoreDescription

    /// Updates the rows of all entities.
    ///
    /// - Returns: The completed repairs, and the failed repairs with their reasons, one sentence each.
    func run(_ options: StoreCheckOptions) throws -> (repairs: [String], failures: [String]) {
        var description = description
        description.createsStore = false
        description.migration.mode = .refuse
        let container: PersistentContainer
        do {
            container = try PersistentContainer(model: model, description, mainQueue: .private)
        } catch let error as PersistenceError where error.code != .locked {
            return ([], ["cannot write the values that records store: \(error.message)"])
        }
        var (repairs, failures): ([String], [String]) = ([], [])
        for entity in model.entities where model.form(of: entity.name) != nil {
            if options.isCancelled() { throw CancellationError() }
            do {
                let count = try container.completeRows(of: entity, options.willCommit)
                if count > 0 {
                    repairs.append("wrote the values of \(entity.name) as records store them (rows: \(count))")
                }
            } catch let error as PersistenceError {
                failures.append("cannot write the values of \(entity.name): \(error)")
            }
        }
        try container.close()
        return (repairs, failures)
    }
}
