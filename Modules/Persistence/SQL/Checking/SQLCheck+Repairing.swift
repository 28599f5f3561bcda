package import StrataCore

extension SQLCheckEngine {
    /// Looks at all of a store on a connection whose transaction is one state, which is only read.
    ///
    /// - Parameters:
    ///   - layout: Of the model that the store was made with.
    ///   - options: What is done.
    ///   - report: Gets the faults one by one.
    /// - Returns: How many there are.
    /// - Throws: As ``SQLCheck/run(round:)``.
    package func check(
        _ layout: SQLLayout, _ options: StoreCheckOptions, _ report: @escaping (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        let check = SQLCheck(self, layout, options, report: report)
        try check.run()
        return StoreCheckSummary(faultCount: check.faultCount, rowCount: check.rowCount)
    }

    /// Checks, rebuilds and checks again in one transaction that has the store alone.
    ///
    /// - Parameters:
    ///   - layout: Of the model that the store was made with.
    ///   - options: What is done.
    ///   - report: Gets the faults that are left.
    /// - Returns: How many there are, what was rebuilt, and what could not be.
    /// - Throws: As ``SQLCheck/run(round:)``; ``PersistenceError/Code/locked`` where somebody has the store open.
    package func repair(
        _ layout: SQLLayout, _ options: StoreCheckOptions, _ report: @escaping (StoreFault) throws -> Void
    ) throws -> StoreCheckSummary {
        try begin()
        let first = SQLCheck(self, layout, options) { _ in }
        try first.run(round: (0, 2))
        let second = SQLCheck(self, layout, options, isAfterRepair: true, report: report)
        guard !first.repairs.isEmpty else {
            // Nothing can be done; what was found is said now, as nothing of it was kept.
            try second.run(round: (1, 2))
            return StoreCheckSummary(faultCount: second.faultCount, rowCount: second.rowCount / 2)
        }
        var failed: [String: String] = [:]
        try beginAgain()
        var outcome = try take(first, &failed)
        try second.run(round: (1, 2))
        // What was cancelled meanwhile is taken back as well.
        if options.isCancelled() { throw CancellationError() }
        try options.willCommit()
        try commit { outcome = try take(first, &failed) }
        return StoreCheckSummary(
            faultCount: second.faultCount, rowCount: second.rowCount / 2, repairs: outcome.done,
            failures: outcome.failures)
    }

    /// Takes all steps that can be taken, inside the transaction that is open or, where one fails, in it begun again.
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
