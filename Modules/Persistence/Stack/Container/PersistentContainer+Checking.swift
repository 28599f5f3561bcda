import StrataCore

extension PersistentContainer {
    /// Looks at all of a store: the file, its tables and indexes, every row by the model's rules and its record's initialiser, references, uniqueness, counts of
    /// relationships, the next identifiers.
    ///
    /// ```swift
    /// let summary = try PersistentContainer.check(model: model, .sqlite(at: url)) { fault in print(fault) }
    /// print(summary.faultCount == 0 ? "ok" : "\(summary.faultCount) faults")
    /// ```
    ///
    /// Without a repair the store is only read, in one state, and others may use it. With ``StoreCheckOptions/repairs`` what can be rebuilt without a guess is, in one
    /// transaction that needs the store alone. Before it, rows get the values that their records store, in a transaction for each entity. The faults that are left are
    /// reported.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - description: The store, which has to be there.
    ///   - options: What is done.
    ///   - report: Gets the faults one by one; none is kept, however many there are.
    /// - Returns: How many faults there are, and what was rebuilt.
    /// - Throws: ``PersistenceError``: with code ``PersistenceError/Code/corrupt`` or ``PersistenceError/Code/notADatabase`` for a file of which not even the header or the
    ///   schema can be read, ``PersistenceError/Code/storeNotFound``, ``PersistenceError/Code/locked`` for a repair of a store that somebody has open,
    ///   ``PersistenceError/Code/invalidRequest`` for a store in memory, which is nowhere before it is opened; `CancellationError`; what `report` throws. Nothing is changed then.
    /// - Complexity: O(*n* log *n*) in the rows; constant memory.
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

/// Gives rows of a store that is not open the values that their records store.
private struct RowCompletion {
    let model: ManagedObjectModel
    let description: PersistentStoreDescription

    /// - Returns: What was done, and what could not be done and why, a sentence each.
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
