/// A violation of one rule of the contract by a store.
///
/// Violations with equal texts are equal. A check can report several violations of its rule, for example one for each
/// value that a store changes.
///
/// ## Topics
///
/// ### Reading a violation
///
/// - ``rule``
/// - ``detail``
/// - ``description``
///
/// ### Creating a violation
///
/// - ``init(rule:detail:)``
public struct ContractViolation: Sendable, Hashable, CustomStringConvertible {
    /// The rule: the name of the check that found the violation.
    public let rule: String
    /// The behavior of the store, and the requirement of the rule.
    ///
    /// A comparison is written as the found value, then `not`, then the required value: `the rows: [1, 2], not [1]`.
    public let detail: String

    /// Creates a violation of a rule.
    ///
    /// Use the initializer for additional rules of your own store, so that one report contains both kinds of
    /// violations.
    ///
    /// - Parameters:
    ///   - rule: The rule, as a sentence about a correct store.
    ///   - detail: The behavior of the store, and the requirement.
    public init(rule: String, detail: String) {
        self.rule = rule
        self.detail = detail
    }

    /// The rule and the behavior of the store.
    public var description: String { "\(rule): \(detail)" }
}
