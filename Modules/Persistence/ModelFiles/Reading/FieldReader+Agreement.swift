import StrataCore

/// Constraints that no value can meet together.
extension FieldReader {
    /// Says which of a field's constraints leave no value, or name one that is no category.
    ///
    /// - Parameters:
    ///   - attribute: The attribute, with the rules that were read.
    ///   - constraints: Where they stand.
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
        // What is wrong with the categories themselves is said where they are all that there is.
        guard let all = try? form.rule("enum", .array(categories.map(Self.value)), isOwn: false) else { return }
        for case .oneOf(let values) in attribute.rules {
            guard let value = values.first(where: { breaks($0, [all], of: attribute) }) else { continue }
            findings.error(
                constraints.place["enum"],
                "\(JSONTreeWriter.line(ValueCoding.json(value), .modelFile)) is none of the field's categories")
        }
    }

    /// A model may have such rules: a column of nothing but nulls meets them.
    private func warn(of upper: String, and lower: String, in constraints: ObjectView) {
        guard constraints.has(upper), let bound = constraints.value(lower) else { return }
        findings.warning(
            constraints.place[upper],
            "no value meets this and the \(lower), \(JSONTreeWriter.line(bound, .modelFile))")
    }

    /// Whether the value of one bound breaks other rules.
    private func breaks(_ bound: AttributeRule, _ rules: [AttributeRule], of attribute: AttributeDescription) -> Bool {
        switch bound {
        case .minimum(let value), .maximum(let value), .greaterThan(let value), .lessThan(let value):
            breaks(value, rules, of: attribute)
        default: false
        }
    }

    private func breaks(_ value: StoredValue, _ rules: [AttributeRule], of attribute: AttributeDescription) -> Bool {
        var ruled = AttributeDescription(attribute.name, attribute.type, rules: rules)
        ruled.domain = attribute.domain?.format?.domain
        ruled.defaultValue = .constant(value)
        return ruled.failureOfDefault(in: "") != nil
    }
}

extension ObjectView {
    /// A length, where one stands: what is none was refused when the rule was read.
    fileprivate func length(_ name: String) -> Int? {
        guard case .number(let text) = value(name)?.content else { return nil }
        return Int(text)
    }
}
