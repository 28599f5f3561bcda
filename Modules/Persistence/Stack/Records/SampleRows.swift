package import StrataCore

/// Rows of an entity that obey its rules and whose columns contain different values, if enough values exist.
package struct SampleRows {
    /// The number of rows that distinguish the columns.
    ///
    /// One row has increasing values. For columns with few values, there is one row for each binary digit of a column's
    /// index.
    static let count = 9

    private let columns: [ColumnDescription]
    private let validator: RowValidator

    package init(_ entity: EntityDescription) {
        columns = entity.columns
        validator = RowValidator(entity)
    }

    /// Returns a row, or `nil` if no acceptable value is known for a column.
    ///
    /// - Parameter ordinal: A closure that returns the ordinal of a column's value, from 0, by the column's index.
    ///   Different ordinals have different values if enough values exist.
    /// - Returns: The row.
    package func row(_ ordinal: (Int) -> Int) -> StoredRow? {
        var values: [StoredValue] = []
        for column in columns.indices {
            guard let value = value(ordinal(column), column: column) else { return nil }
            values.append(value)
        }
        return StoredRow(id: Int64(columns.count + 1), values: values)
    }

    /// Returns the first candidate that the column's rules accept, in its stored form.
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

    /// Returns texts of forms that initializers often require: a word, digits, a color, an address, a code of letters.
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
