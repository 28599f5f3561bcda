public import StrataPersistence
public import StrataStoreKit

/// The rules for the behavior of every store, as checks that any test framework can run.
///
/// A check opens an empty store with ``model()``, uses it, and reports violations of its rule. A new kind of store is
/// complete if no check reports a violation.
///
/// ```swift
/// @Test(arguments: StoreContract.checks)
/// func obeysTheContract(_ check: StoreContract.Check) throws {
///     for violation in try check.violations({ MyStore(model: $0) }) {
///         Issue.record("\(violation)")
///     }
/// }
/// ```
public enum StoreContract {
    /// A closure that opens an empty store with a model.
    ///
    /// Every check calls it once. No two stores share their rows.
    public typealias Factory = @Sendable (ManagedObjectModel) throws -> any PersistentStore

    /// A rule with the code that checks it.
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule in words, unique among ``StoreContract/checks``.
        public let rule: String
        let body: @Sendable (ContractProbe) throws -> Void

        init(_ rule: String, _ body: @escaping @Sendable (ContractProbe) throws -> Void) {
            self.rule = rule
            self.body = body
        }

        /// The text of the rule.
        public var description: String { rule }

        /// Checks the rule on a new store.
        ///
        /// - Parameter factory: A closure that opens the store.
        /// - Returns: The violations of the rule; empty if the store obeys it. An unexpected error of the store is a
        ///   violation too.
        /// - Throws: The error of `factory`, or an error of the contract's own model.
        public func violations(_ factory: @escaping Factory) throws -> [ContractViolation] {
            let probe = ContractProbe(rule: rule, store: try factory(try StoreContract.model()))
            do {
                try body(probe)
            } catch {
                probe.fail("the store threw \(error)")
            }
            do {
                try probe.store.close()
            } catch {
                probe.fail("closing threw \(error)")
            }
            return probe.violations
        }
    }

    /// All checks.
    ///
    /// The checks are independent of each other, and may run at the same time.
    public static let checks: [Check] =
        values + comparisons + texts + patterns + arithmetic + functions + formats + sorting + windows + saving
        + conflicts
        + uniqueness + uniqueTogether + bulkTogether
        + references + oneToOne + joins + joinRules + related + relatedCounts + paths + identifiers + bulkInserts
        + rowPolicies + rowTransactions + transactions + sets + reading + snapshots

    /// Runs every check.
    ///
    /// - Parameter factory: A closure that opens a store.
    /// - Returns: All violations, in the order of the checks.
    /// - Throws: The error of `factory`.
    public static func violations(_ factory: @escaping Factory) throws -> [ContractViolation] {
        try checks.flatMap { try $0.violations(factory) }
    }
}
