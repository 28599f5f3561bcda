/// Checks rows against an entity's rules; the one place where a value is checked, on every path into a store.
///
/// Not `Sendable`: it keeps its compiled patterns. Every context and bulk insert makes its own.
package final class RowValidator {
    /// What is asked of a column, by reference: a description is a large value, and copying it for every row costs more than checking.
    private final class Column {
        let type: AttributeType
        let isOptional: Bool
        let isReference: Bool
        let isImmutable: Bool
        let domain: AttributeDomain?
        /// The order of its texts, where they have one of their own.
        let order: TextFormat?
        let rules: [AttributeRule]
        /// The values of which it is one, for each rule that says so: a list may be long.
        let choices: [(values: [StoredValue], set: Set<StoredValue>)]

        init(_ column: ColumnDescription) {
            type = column.type
            isOptional = column.isOptional
            isReference = column.attribute == nil
            isImmutable = column.isImmutable
            domain = column.attribute?.domain
            let rules = column.attribute?.rules ?? []
            self.rules = rules
            order = column.attribute?.domain?.format.flatMap { $0.isOrdered ? $0 : nil }
            choices = rules.compactMap { if case .oneOf(let values) = $0 { (values, Set(values)) } else { nil } }
        }
    }

    package let entity: EntityDescription
    private let columns: [Column]
    private var patterns: [String: Regex<AnyRegexOutput>] = [:]

    package init(_ entity: EntityDescription) {
        self.entity = entity
        columns = entity.columns.map(Column.init)
    }

    /// Whether a column's values never change once inserted.
    package func isImmutable(_ column: Int) -> Bool { columns[column].isImmutable }

    /// Brings the values to their stored form and gives every rule that they break.
    package func validate(_ values: inout [StoredValue], id: Int64) -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for index in values.indices {
            for rule in validate(&values[index], column: index) {
                failures.append(failure(rule, index: index, value: values[index], id: id))
            }
        }
        return failures
    }

    /// Brings one value to its stored form; gives every rule it breaks.
    ///
    /// What is no value of the column's type is asked nothing more. Nothing is allocated for a value that breaks no rule.
    package func validate(_ value: inout StoredValue, column index: Int) -> [ValidationFailure.Rule] {
        let column = columns[index]
        if value.isNull { return column.isOptional ? [] : [.mandatory] }
        if column.isReference {
            guard case .integer(let id) = value, identifierRange.contains(id) else { return [.identifier] }
            return []
        }
        if let domain = column.domain {
            do { value = try domain.canonicalize(value) } catch {
                let rule = ValidationFailure.Rule.rejected(by: domain.name, reason: "\(error)")
                return [domain.format == nil ? rule : .format("\(error)")]
            }
        }
        if !value.isStored(as: column.type) {
            guard let converted = value.converted(to: column.type) else { return [.type(column.type)] }
            value = converted
        }
        var broken: [ValidationFailure.Rule] = []
        for rule in column.rules {
            if let rule = check(rule, value, column.order) { broken.append(rule) }
        }
        for choice in column.choices where !choice.set.contains(value) { broken.append(.oneOf(choice.values)) }
        return broken
    }

    package func failure(_ rule: ValidationFailure.Rule, index: Int, value: StoredValue, id: Int64) -> ValidationFailure
    {
        ValidationFailure(entity: entity.name, id: id, attribute: entity.columns[index].name, value: value, rule: rule)
    }

    private func check(
        _ rule: AttributeRule, _ value: StoredValue, _ order: TextFormat?
    ) -> ValidationFailure.Rule? {
        switch rule {
        case .minimum(let minimum): precedes(value, minimum, order) ? .minimum(minimum) : nil
        case .maximum(let maximum): precedes(maximum, value, order) ? .maximum(maximum) : nil
        case .greaterThan(let bound): precedes(bound, value, order) ? nil : .greaterThan(bound)
        case .lessThan(let bound): precedes(value, bound, order) ? nil : .lessThan(bound)
        // Looked up in a set, at the end.
        case .oneOf: nil
        case .minimumLength(let length): self.length(of: value) < length ? .minimumLength(length) : nil
        case .maximumLength(let length): self.length(of: value) > length ? .maximumLength(length) : nil
        case .pattern(let pattern): matches(value, pattern) ? nil : .pattern(pattern)
        }
    }

    private func precedes(_ left: StoredValue, _ right: StoredValue, _ order: TextFormat?) -> Bool {
        guard let order, case .string(let first) = left, case .string(let second) = right else { return left < right }
        return order.orderKey(of: first) < order.orderKey(of: second)
    }

    private func length(of value: StoredValue) -> Int {
        switch value {
        case .string(let text): text.unicodeScalars.count
        case .binary(let data): data.count
        default: 0
        }
    }

    private func matches(_ value: StoredValue, _ pattern: String) -> Bool {
        guard case .string(let text) = value else { return false }
        do {
            let regex = try patterns[pattern] ?? Regex(pattern)
            patterns[pattern] = regex
            return try regex.wholeMatch(in: text) != nil
        } catch {
            // The model's check compiled the pattern, so only a match that gives up ends here: it does not match.
            return false
        }
    }
}
