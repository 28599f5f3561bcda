/// A violation of one rule of the contract by a store.
public struct ContractViolation: Sendable, Hashable, CustomStringConvertible {
    /// The rule: the name of the check that found the violation.
    public let rule: String
    /// The behavior of the store, and the requirement of the rule.
    public let detail: String

    /// Creates a violation of a rule.
    public init(rule: String, detail: String) {
        self.rule = rule
        self.detail = detail
    }

    /// The rule and the behavior of the store.
    public var description: String { "\(rule): \(detail)" }
}
