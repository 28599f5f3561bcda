import StrataCore

/// The checks for constraints of a field that contradict each other.
extension FieldReader {
    /// Reports contradictory constraints of a field, which no value satisfies, and values of `enum` that are not among
    /// the categories.
    ///
    /// - Parameters:
    ///   - attribute: The attribute with the rules that were read from the field.
    ///   - constraints: The object with the constraints of the field.
    func checkAgreement(of attribute: AttributeDescription, with constraints: ObjectView) {
        let form = RuleForm(attribute.type, attribute.domain?.format)
        let lower = attribute.rules.filter { ["minimum", "exclusiveMinimum"].contains(form.constraint($0)) }
        let upper = attribute.rules.filter { ["maximum", "exclusiveMaximum"].contains(form.constraint($0)) }
        for low in lower {
            for high in upper where breaks(low, [high], of: attribute) || breaks(high, [low], of: attribute) {
                warn(of: form.constraint(high), and: form.constraint(low), in: constraints)
            }
        }
        if let least = constraints.length("minLength"), let most = constraints.length("maxLength"), most < least {
            warn(of: "maxLength", and: "minLength", in: constraints)
        }
        guard let categories = view.list("categories"), constraints.has("enum") else { return }
        // Errors in the categories themselves are reported if they are the only list of values.
        guard let all = try? form.rule("enum", .array(categories.map(Self.value)), isOwn: false) else { return }
        for case .oneOf(let values) in attribute.rules {
            guard let value = values.first(where: { breaks($0, [all], of: attribute) }) else { continue }
            findings.error(
                constraints.place["enum"],
                "\(JSONTreeWriter.line(ValueCoding.json(value), .modelFile)) is not one of the field's categories")
        }
    }

    /// Reports a warning, and no error, because a model may have such rules: a column with only nulls satisfies them.
    private func warn(of upper: String, and lower: String, in constraints: ObjectView) {
        guard constraints.has(upper), let bound = constraints.value(lower) else { return }
        findings.warning(
            constraints.place[upper],
            "no value satisfies both this constraint and the \(lower), \(JSONTreeWriter.line(bound, .modelFile))")
    }

    /// Returns a Boolean value that indicates whether the value of a minimum or maximum violates other rules.
    private func breaks(_ bound: AttributeRule, _ rules: [AttributeRule], of attribute: AttributeDescription) -> Bool {
        switch bound {
        case .minimum(let value), .maximum(let value), .greaterThan(let value), .lessThan(let value):
            breaks(value, rules, of: attribute)
        default: false
        }
    }

    /// Returns a Boolean value that indicates whether a value violates rules; the check is that of a default value.
    private func breaks(_ value: StoredValue, _ rules: [AttributeRule], of attribute: AttributeDescription) -> Bool {
        var ruled = AttributeDescription(attribute.name, attribute.type, rules: rules)
        ruled.domain = attribute.domain?.format?.domain
        ruled.defaultValue = .constant(value)
        return ruled.failureOfDefault(in: "") != nil
    }
}

extension ObjectView {
    /// Returns the value of a length constraint, or `nil` if it is missing or invalid; an invalid value was reported
    /// before.
    fileprivate func length(_ name: String) -> Int? {
        guard case .number(let text) = value(name)?.content else { return nil }
        return Int(text)
    }
}
