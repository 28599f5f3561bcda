extension AttributeDescription {
    /// Returns the rule that the default value breaks.
    ///
    /// A default that breaks a rule makes the store reject every row without an explicit value. The rules of a Swift
    /// type are known only where the type is known. The initializer of a model accepts such a default, because a
    /// program may use it to force an explicit value. Only the reader of a model file reports it.
    ///
    /// - Parameter entity: The entity's name.
    /// - Returns: The failure; `nil` if there is no constant default or if it breaks no rule.
    package func failureOfDefault(in entity: String) -> ValidationFailure? {
        guard case .constant(var value)? = defaultValue else { return nil }
        var ruled = AttributeDescription(name, type, rules: rules)
        ruled.domain = domain?.format?.domain
        let validator = RowValidator(EntityDescription(entity, [.attribute(ruled)]))
        guard let rule = validator.validate(&value, column: 0).first else { return nil }
        return validator.failure(rule, index: 0, value: value, id: 0)
    }
}
