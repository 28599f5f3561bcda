/// A validator of rows by the rules of an entity; every write to a store uses it for every value.
///
/// It is not `Sendable`, because it caches compiled regular expressions. Every context and every bulk insert creates
/// its own validator.
///
/// A value is validated in this order: null, identifiers of references, the domain, the type, then the rules. The
/// domain comes before the type, because it converts accepted spellings to the stored one.
package final class RowValidator {
    /// The parts of a column's description that validation reads, stored by reference.
    ///
    /// A description is a large value; copying it for every row would cost more than the validation.
    private final class Column {
        let type: AttributeType
        let isOptional: Bool
        let isReference: Bool
        let isImmutable: Bool
        let domain: AttributeDomain?
        /// The text format of the column if it defines an order; otherwise `nil`.
        let order: TextFormat?
        let rules: [AttributeRule]
        /// The allowed values of each `oneOf` rule, as an array and as a set, because a list may be long.
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

    /// Returns a Boolean value that indicates whether a column's value cannot be changed after the object was inserted.
    package func isImmutable(_ column: Int) -> Bool { columns[column].isImmutable }

    /// Converts the values of a row to their stored form, and returns a failure for every rule that they break.
    package func validate(_ values: inout [StoredValue], id: Int64) -> [ValidationFailure] {
        var failures: [ValidationFailure] = []
        for index in values.indices {
            for rule in validate(&values[index], column: index) {
                failures.append(failure(rule, index: index, value: values[index], id: id))
            }
        }
        return failures
    }

    /// Converts the value of a column to its stored form, and returns every rule that it breaks.
    ///
    /// If the value does not have the column's type, no further rule is evaluated. If the value breaks no rule, nothing
    /// is allocated.
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
        // The caller evaluates this rule with a set.
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
            // The model check compiled the pattern. Only a match that is aborted throws; it counts as no match.
            return false
        }
    }
}
