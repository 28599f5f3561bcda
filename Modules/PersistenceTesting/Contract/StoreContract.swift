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
///
/// A check knows only the protocol `PersistentStore`. It therefore applies to a store in memory, in a file or on a
/// server. A check does not measure speed, and does not read the store's files.
///
/// A new store usually passes the groups in this order. Each step requires the steps before it:
///
/// 1. Values: every type is stored and read back unchanged (`values`), and rows have one order (`comparisons`,
///    `sorting`, `windows`).
/// 2. Conditions: texts and wildcards (`texts`, `patterns`, `formats`), calculations (`arithmetic`, `functions`), and
///    related objects (`related`, `relatedCounts`, `paths`), and of selected values, groups and aggregates
///    (`selections`).
/// 3. Saves: change sets and versions (`saving`, `conflicts`), unique values (`uniqueness`, `uniqueTogether`),
///    relationships (`references`, `oneToOne`, `joins`, `joinRules`), and identifiers (`identifiers`).
/// 4. Bulk inserts: `bulkInserts`, `bulkTogether`, `rowPolicies`, `rowTransactions`.
/// 5. Transactions and readers: `transactions`, `sets`, `reading`, `snapshots`.
///
/// In the sources, the comment of each group lists what a store must do. Shared code resolves each request against the
/// model before the store receives it. Unknown names and incompatible types are rejected there, before a store sees
/// them.
///
/// The checks do not cover the observation of remote changes, migrations, or a crash during a save. They also do not
/// limit the store's memory. Test these properties separately.
///
/// ## Topics
///
/// ### Running the checks
///
/// - ``checks``
/// - ``Check``
/// - ``violations(_:)``
/// - ``ContractViolation``
///
/// ### Opening the checked store
///
/// - ``Factory``
/// - ``model()``
public enum StoreContract {
    /// A closure that opens an empty store with a model.
    ///
    /// Every check calls it once. No two stores share their rows: give each store a new file, folder, schema or
    /// database. If a store contains rows of an earlier check, checks that expect identifier 1 fail.
    ///
    /// The closure is sendable, because checks may run on several threads at the same time. A check closes its store at
    /// the end; delete the store's files when the last reference to it is released, or after the test.
    public typealias Factory = @Sendable (ManagedObjectModel) throws -> any PersistentStore

    /// A rule with the code that checks it.
    ///
    /// Each check is a value without state, so a test can run it several times and with several kinds of stores. The
    /// description of a check is its rule. Test frameworks therefore show the rule as the name of the test case.
    ///
    /// ## Topics
    ///
    /// ### Running the check
    ///
    /// - ``violations(_:)``
    ///
    /// ### Describing the rule
    ///
    /// - ``rule``
    /// - ``description``
    public struct Check: Sendable, CustomStringConvertible {
        /// The rule in words, unique among ``StoreContract/checks``.
        ///
        /// It is a sentence about a correct store, such as `a failed save writes nothing`. The violations of the check
        /// contain the same text.
        public let rule: String
        /// The code of the check, which adds violations to the probe.
        ///
        /// The code continues after most violations. An error that it throws ends the check.
        let body: @Sendable (ContractProbe) throws -> Void

        init(_ rule: String, _ body: @escaping @Sendable (ContractProbe) throws -> Void) {
            self.rule = rule
            self.body = body
        }

        /// The text of the rule.
        public var description: String { rule }

        /// Checks the rule on a new store.
        ///
        /// The check opens one store with the model of the contract, uses it on the calling thread, and closes it. A
        /// check of concurrent writers also uses other threads, and waits for them. The method returns when the store
        /// is closed, also if the check fails.
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
    ///
    /// The order is that of the groups, and is the same in every run. A violation of one group often causes violations
    /// of later groups. Fix the first violations first.
    public static let checks: [Check] =
        values + comparisons + texts + patterns + arithmetic + functions + formats + sorting + windows + saving
        + conflicts
        + uniqueness + uniqueTogether + bulkTogether
        + references + oneToOne + joins + joinRules + related + relatedCounts + paths + selections + identifiers
        + bulkInserts
        + rowPolicies + rowTransactions + transactions + sets + reading + snapshots

    /// Runs every check.
    ///
    /// Use this method if a test framework has no parametrized tests. Otherwise run each of ``checks`` as a separate
    /// test case, so that a report names the failed rules and the checks can run in parallel.
    ///
    /// The checks run one after the other on the calling thread. If `factory` throws an error, the remaining checks do
    /// not run.
    ///
    /// - Parameter factory: A closure that opens a store.
    /// - Returns: All violations, in the order of the checks.
    /// - Throws: The error of `factory`.
    public static func violations(_ factory: @escaping Factory) throws -> [ContractViolation] {
        try checks.flatMap { try $0.violations(factory) }
    }
}
