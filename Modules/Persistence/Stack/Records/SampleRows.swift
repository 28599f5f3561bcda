package import StrataCore

/// Rows of an entity that obey its rules and whose columns hold different values, as far as there are so many.
package struct SampleRows {
    /// How many rows tell columns apart: one of growing values, and one for each binary digit of a column's number, for columns of few values.
    static let count = 9

    private let columns: [ColumnDescription]
    private let validator: RowValidator

    package init(_ entity: EntityDescription) {
        columns = entity.columns
        validator = RowValidator(entity)
    }

    /// A row; `nil` where no value is known that a column accepts.
    ///
    /// - Parameter ordinal: Which of its values a column, by its place, gets, from 0: different ones where there are so many.
    /// - Returns: The row.
    package func row(_ ordinal: (Int) -> Int) -> StoredRow? {
        var values: [StoredValue] = []
        for column in columns.indices {
            guard let value = value(ordinal(column), column: column) else { return nil }
            values.append(value)
        }
        return StoredRow(id: Int64(columns.count + 1), values: values)
    }

    /// The first candidate that the column's rules accept, as it is stored.
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

    /// Texts of the forms that initialisers often ask for: a word, digits, a colour, an address, a code of letters.
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
