package import StrataCore

/// Generated rows that satisfy an entity's rules and, where possible, have a different value in each column.
package struct SampleRows {
    /// The number of sample rows that are needed to distinguish all columns.
    ///
    /// One row has increasing values. Each other row has two different values, selected by one binary digit of the
    /// column's index, for columns whose types have few values.
    static let count = 9

    private let columns: [ColumnDescription]
    private let validator: RowValidator

    package init(_ entity: EntityDescription) {
        columns = entity.columns
        validator = RowValidator(entity)
    }

    /// Returns a sample row, or `nil` if no acceptable value is known for a column.
    ///
    /// - Parameter ordinal: A closure that returns the ordinal of the value for a column index, from 0. Where possible,
    ///   different ordinals result in different values.
    /// - Returns: The row.
    package func row(_ ordinal: (Int) -> Int) -> StoredRow? {
        var values: [StoredValue] = []
        for column in columns.indices {
            guard let value = value(ordinal(column), column: column) else { return nil }
            values.append(value)
        }
        return StoredRow(id: Int64(columns.count + 1), values: values)
    }

    /// Returns the first generated value that the column's rules accept, in its stored form, or `nil` if there is none.
    private func value(_ ordinal: Int, column: Int) -> StoredValue? {
        for candidate in candidates(ordinal, columns[column]) {
            var value = candidate
            if !candidate.isNull || columns[column].isOptional, validator.validate(&value, column: column).isEmpty {
                return value
            }
        }
        return nil
    }

    private func candidates(_ ordinal: Int, _ column: ColumnDescription) -> [StoredValue] {
        let number = Int64(ordinal + 1)
        guard let attribute = column.attribute else { return [.integer(number)] }
        let cases = attribute.domain?.samples ?? []
        var candidates = cases.isEmpty ? [] : [cases[ordinal % cases.count]]
        if case .string = attribute.type { candidates += texts(number).map { .string($0) } }
        let coding = attribute.type.coding
        candidates.append(coding.sample(number, after: nil) ?? .null)
        for rule in attribute.rules {
            switch rule {
            case .minimum(let value): candidates += [coding.sample(number, after: value) ?? .null, value]
            case .maximum(let value): candidates += [coding.sample(-number, after: value) ?? .null, value]
            case .greaterThan(let value): candidates.append(coding.sample(number, after: value) ?? .null)
            case .lessThan(let value): candidates.append(coding.sample(-number, after: value) ?? .null)
            case .oneOf(let values): candidates.insert(values[ordinal % values.count], at: 0)
            case .minimumLength(let length): candidates.append(.string(padded(number, length)))
            case .maximumLength, .pattern: break
            }
        }
        if case .constant(let value) = attribute.defaultValue { candidates.append(value) }
        return candidates + [.null]
    }

    /// Returns texts in formats that initializers often require: a word, digits, a color, an address, and a code of
    /// letters.
    private func texts(_ number: Int64) -> [String] {
        let digits = padded(number, 6)
        let letter = String(UnicodeScalar(UInt8(65 + number % 26)))
        return [
            "sample \(number)", "sample\(number)", "\(number)", digits, "#" + digits, "sample\(number)@example.org",
            letter + letter + letter, letter + letter, letter,
        ]
    }

    private func padded(_ number: Int64, _ length: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, length - digits.count)) + digits
    }
}
