extension AttributeDescription {
    /// Returns the rule that the attribute's constant default value breaks.
    ///
    /// Such a default makes a store reject every row without an explicit value. A model accepts it, because a program
    /// may use it to force an explicit value; only the reader of a model file reports it. The rules of a Swift type are
    /// included only if the type is known.
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
