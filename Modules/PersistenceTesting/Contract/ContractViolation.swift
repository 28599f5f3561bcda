/// One way in which a store breaks one rule of the contract.
public struct ContractViolation: Sendable, Hashable, CustomStringConvertible {
    /// The rule: the name of the check that found it.
    public let rule: String
    /// What the store did, and what the rule asks for.
    public let detail: String

    /// A violation of a rule.
    public init(rule: String, detail: String) {
        self.rule = rule
        self.detail = detail
    }

    /// The rule and what the store did.
    public var description: String { "\(rule): \(detail)" }
}
