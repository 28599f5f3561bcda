extension AttributeDescription {
    /// Which rule the default breaks, so that every row that does not say a value would be refused; `nil` where it breaks none.
    ///
    /// What the rule of a Swift type accepts is known where the type is. Models are made with such a default all the same, as one that is to force an entry;
    /// only whoever writes a model file is told.
    ///
    /// - Parameter entity: The entity's name.
    /// - Returns: The failure.
    package func failureOfDefault(in entity: String) -> ValidationFailure? {
        guard case .constant(var value)? = defaultValue else { return nil }
        var ruled = AttributeDescription(name, type, rules: rules)
        ruled.domain = domain?.format?.domain
        let validator = RowValidator(EntityDescription(entity, [.attribute(ruled)]))
        guard let rule = validator.validate(&value, column: 0).first else { return nil }
        return validator.failure(rule, index: 0, value: value, id: 0)
    }
}
