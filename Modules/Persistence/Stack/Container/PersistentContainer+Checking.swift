import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// Checks a whole store.
    ///
    /// The check covers the store's file, its tables and indexes, references, uniqueness, the count limits of
    /// relationships, and the identifiers for the next inserted rows. It also validates every row by the model's rules
    /// and its record's initializer.
    ///
    /// ```swift
    /// let summary = try PersistentContainer.check(model: model, .sqlite(at: url)) { fault in print(fault) }
    /// print(summary.faultCount == 0 ? "ok" : "\(summary.faultCount) faults")
    /// ```
    ///
    /// Without repairs, the check only reads one snapshot of the store, and other processes may use the store. If the
    /// options contain ``StoreCheckOptions/repairs``, the check also rebuilds everything that follows with certainty
    /// from other data. This runs in one transaction with exclusive access to the store. Before it, one transaction for
    /// each entity updates the rows whose records store other values. The check then reports the remaining faults.
    ///
    /// - Parameters:
    ///   - model: The model of the store.
    ///   - description: The store, which must exist.
    ///   - options: The options of the check.
    ///   - report: A closure that receives each fault once; the check does not retain the faults.
    /// - Returns: The number of faults, and the repairs.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` or
    ///   ``PersistenceError/Code/notADatabase`` if the header or schema of the file cannot be read, or
    ///   ``PersistenceError/Code/storeNotFound``. With code ``PersistenceError/Code/locked`` if repairs are requested
    ///   and the store is open elsewhere, and ``PersistenceError/Code/invalidRequest`` for an in-memory store, which
    ///   does not exist before it is opened. Also `CancellationError` and the errors of `report`. If the method throws,
    ///   the store is unchanged.
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

/// An operation on a closed store that replaces the values of each row by those of the record created from the row.
private struct RowCompletion {
    let model: ManagedObjectModel
    let description: PersistentStoreDescription

    /// Updates the rows of all entities to the values of their records.
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
