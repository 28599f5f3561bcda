package import StrataCore

extension SQLCheckEngine {
    /// Checks the whole store, without any change, on a connection whose open transaction reads one snapshot.
    ///
    /// - Parameters:
    ///   - layout: The table layout of the model with which the store was created.
    ///   - options: The options of the check.
    ///   - report: A closure that receives each fault.
    /// - Returns: The count of faults and the count of rows.
    /// - Throws: The errors of ``SQLCheck/run(round:)``.
    package func check(
        _ layout: SQLLayout, _ options: StoreCheckOptions, _ report: @escaping (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        let check = SQLCheck(self, layout, options, report: report)
        try check.run()
        return StoreCheckSummary(faultCount: check.faultCount, rowCount: check.rowCount)
    }

    /// Checks and repairs the store, and then checks it again, in one transaction with exclusive access to the store.
    ///
    /// - Parameters:
    ///   - layout: The table layout of the model with which the store was created.
    ///   - options: The options of the check.
    ///   - report: A closure that receives each fault that remains after the repairs.
    /// - Returns: The count of remaining faults, the completed repairs, and the failed repairs.
    /// - Throws: The errors of ``SQLCheck/run(round:)``; ``PersistenceError/Code/locked`` if another process or
    ///   connection has the store open.
    package func repair(
        _ layout: SQLLayout, _ options: StoreCheckOptions, _ report: @escaping (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        try begin()
        let first = SQLCheck(self, layout, options) { _ in }
        try first.run(round: (0, 2))
        let second = SQLCheck(self, layout, options, isAfterRepair: true, report: report)
        guard !first.repairs.isEmpty else {
            // There is nothing to repair. A second check reports the faults, because the first one did not store them.
            try second.run(round: (1, 2))
            return StoreCheckSummary(faultCount: second.faultCount, rowCount: second.rowCount / 2)
        }
        var failed: [String: String] = [:]
        try beginAgain()
        var outcome = try take(first, &failed)
        try second.run(round: (1, 2))
        // A cancellation during the repair rolls the repair back as well.
        if options.isCancelled() { throw CancellationError() }
        try options.willCommit()
        try commit { outcome = try take(first, &failed) }
        return StoreCheckSummary(
            faultCount: second.faultCount, rowCount: second.rowCount / 2, repairs: outcome.done,
            failures: outcome.failures)
    }

    /// Runs all possible repairs in the open transaction; if a repair fails, restarts the transaction without that
    /// repair.
    private func take(
        _ check: SQLCheck<Self>, _ failed: inout [String: String]
    ) throws -> SQLRepairs<Self>.Outcome {
        while true {
            do {
                return try check.repairs.run(on: self, check.layout, greatest: check.greatest, failed: failed)
            } catch let step as SQLRepairs<Self>.StepFailed {
                failed[step.what] = step.reason
                try beginAgain()
            }
        }
    }
}
