public import StrataPersistence

/// What every store does, as checks that any test framework can run.
///
/// A check opens an empty store with ``model()``, uses it, and says how it broke the rule. A new kind of store is done when no check
/// finds anything.
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
    /// Opens an empty store with a model.
    ///
    /// Called once by every check; no two stores share their rows.
    public typealias Factory = @Sendable (ManagedObjectModel) throws -> any PersistentStore

    /// One rule, and how it is checked.
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule in words, unique among ``StoreContract/checks``.
        public let rule: String
        let body: @Sendable (ContractProbe) throws -> Void

        init(_ rule: String, _ body: @escaping @Sendable (ContractProbe) throws -> Void) {
            self.rule = rule
            self.body = body
        }

        /// The rule.
        public var description: String { rule }

        /// Checks the rule on a fresh store.
        ///
        /// - Parameter factory: Opens the store.
        /// - Returns: What was found; empty for a store that obeys. An error the store throws where the rule has none is a violation too.
        /// - Throws: What `factory` throws, or an error of the contract's own model.
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
    /// Each is independent of the others and may run at the same time.
    public static let checks: [Check] =
        values + comparisons + texts + patterns + arithmetic + functions + formats + sorting + windows + saving
        + conflicts
        + uniqueness + uniqueTogether + bulkTogether
        + references + oneToOne + joins + joinRules + related + relatedCounts + paths + identifiers + bulkInserts
        + rowPolicies + rowTransactions + transactions + sets + reading + snapshots

    /// Runs every check.
    ///
    /// - Parameter factory: Opens a store.
    /// - Returns: All violations, in the order of the checks.
    /// - Throws: What `factory` throws.
    public static func violations(_ factory: @escaping Factory) throws -> [ContractViolation] {
        try checks.flatMap { try $0.violations(factory) }
    }
}
