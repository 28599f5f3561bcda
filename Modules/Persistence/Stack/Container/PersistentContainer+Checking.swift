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
    /// transaction that nobody else may have the store open for, and what is given is what is left.
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
        var options = options
        options.rowCheck = { model.rowCheck(of: $0) }
        return try description.provider.check(model, options: description.options, options, report: report)
    }
}
