import StrataCore

extension AttributeDescription {
    /// Returns a Boolean value that indicates whether a value that is valid for an earlier description may be invalid
    /// for this one.
    func isTighter(than earlier: AttributeDescription) -> Bool {
        if let domain, domain.name != earlier.domain?.name { return true }
        return rules.contains { rule in !earlier.rules.contains { $0.implies(rule) } }
    }

    /// Returns a Boolean value that indicates whether this attribute description and an earlier one have equal rules.
    ///
    /// The comparison includes the names of Swift types, the default value and immutability.
    func isEquivalent(to earlier: AttributeDescription) -> Bool {
        rules == earlier.rules && domain?.name == earlier.domain?.name && defaultValue == earlier.defaultValue
            && isImmutable == earlier.isImmutable
    }
}

extension AttributeRule {
    /// Returns a Boolean value that indicates whether every value that satisfies this rule also satisfies another rule.
    ///
    /// A bound for texts implies only an equal bound, because texts may have an order of their own.
    func implies(_ other: AttributeRule) -> Bool {
        func isText(_ value: StoredValue) -> Bool { if case .string = value { true } else { false } }
        func isAtLeast(_ value: StoredValue, _ bound: StoredValue) -> Bool {
            isText(value) ? self == other : value.compare(bound) != .before
        }
        func isAtMost(_ value: StoredValue, _ bound: StoredValue) -> Bool {
            isText(value) ? self == other : value.compare(bound) != .after
        }
        switch (self, other) {
        case (.minimum(let value), .minimum(let bound)), (.greaterThan(let value), .minimum(let bound)),
            (.greaterThan(let value), .greaterThan(let bound)):
            return isAtLeast(value, bound)
        case (.maximum(let value), .maximum(let bound)), (.lessThan(let value), .maximum(let bound)),
            (.lessThan(let value), .lessThan(let bound)):
            return isAtMost(value, bound)
        case (.oneOf(let values), .oneOf(let allowed)): return Set(values).isSubset(of: allowed)
        case (.minimumLength(let length), .minimumLength(let bound)): return length >= bound
        case (.maximumLength(let length), .maximumLength(let bound)): return length <= bound
        default: return self == other
        }
    }
}
