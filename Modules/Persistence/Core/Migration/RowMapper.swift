package import Foundation

/// Creates the later row for each earlier row, by a mapping.
package struct RowMapper {
    /// The value of a column if the earlier row has none.
    fileprivate enum Filler {
        case value(StoredValue)
        case newUUID

        init(_ column: ColumnDescription, now: Date) {
            switch column.attribute?.defaultValue {
            case .constant(let value): self = .value(value.converted(to: column.type) ?? value)
            case .now: self = .value(.date(now))
            case .newUUID: self = .newUUID
            case nil: self = .value(.null)
            }
        }

        var value: StoredValue {
            switch self {
            case .value(let value): value
            case .newUUID: .uuid(UUID())
            }
        }
    }

    /// The source of a column's values, determined once instead of for every row.
    private enum Source {
        case filler(Filler)
        /// The identifier of the row that references each row, for a reference that moves to this side.
        case owners([Int64: Int64])
        /// The earlier value; `place` copies it and `converted` converts it.
        case place(Int, ifNull: Filler?)
        case converted(Int, ValueConversion?, ifNull: Filler?)
        /// The identifier of the row, converted.
        case identifier(ValueConversion?)
        /// The identifier of the row whose key equals the values of the columns.
        case lookedUp([Int], [[StoredValue]: Int64])
        /// A value of the row that a column references.
        case keyValue(Int, [Int64: StoredValue])
    }

    private let sources: [Source]
    /// The index of the earlier column whose value becomes the row's identifier.
    private let identifier: Int?
    /// For each column whose targets receive new identifiers, the later identifiers by the earlier ones.
    private let numbers: [Int: [Int64: Int64]]
    /// The replacements of renamed values, by column index.
    private let renamedValues: [Int: [StoredValue: StoredValue]]

    /// Creates a mapper; the result is `nil` for a new entity.
    ///
    /// - Parameters:
    ///   - mapping: The mapping of the entity.
    ///   - models: The mapping of the models.
    ///   - now: The value of new attributes whose default is the time of creation.
    ///   - rows: A closure that reads the rows of an earlier entity: their identifiers, and the values of columns.
    package init?(
        _ mapping: EntityMapping, in models: ModelMapping, now: Date,
        rows: (_ entity: String, _ columns: [Int], _ body: (_ id: Int64, _ values: [StoredValue]) -> Void) throws ->
            Void
    ) rethrows {
        guard let earlier = mapping.source else { return nil }
        identifier = mapping.identifier
        var numbers: [Int: [Int64: Int64]] = [:]
        for (index, column) in mapping.entity.columns.enumerated() {
            guard let target = column.destination, let (entity, place) = models.renumbering(ofEntity: target) else {
                continue
            }
            try rows(entity.name, [place]) { id, values in
                numbers[index, default: [:]][id] = values[0].integerValue
            }
        }
        self.numbers = numbers
        renamedValues = mapping.columns.indices.reduce(into: [:]) { renamed, index in
            let values = mapping.renamedValues(ofColumn: index)
            if !values.isEmpty { renamed[index] = values }
        }
        sources = try mapping.columns.indices.map { index in
            let column = mapping.entity.columns[index]
            switch mapping.columns[index] {
            case .added: return .filler(Filler(column, now: now))
            case .reversed(let entity, let reference):
                var owners: [Int64: Int64] = [:]
                try rows(entity, [reference]) { id, values in
                    if case .integer(let target) = values[0] { owners[target] = id }
                }
                return .owners(owners)
            case .identifier: return .identifier(mapping.conversion(of: index))
            case .lookedUp(let columns, let entity, let key):
                var ids: [[StoredValue]: Int64] = [:]
                try rows(entity, key) { id, values in ids[key.isEmpty ? [.integer(id)] : values] = id }
                return .lookedUp(columns, ids)
            case .keyValue(let reference, let entity, let key):
                var values: [Int64: StoredValue] = [:]
                try rows(entity, key.map { [$0] } ?? []) { id, row in values[id] = row.first ?? .integer(id) }
                return .keyValue(reference, values)
            case .copied(let place):
                let isFilled = earlier.columns[place].isOptional && !column.isOptional
                let filler = isFilled ? Filler(column, now: now) : nil
                return earlier.columns[place].type == column.type
                    ? .place(place, ifNull: filler)
                    : .converted(place, mapping.conversion(of: index), ifNull: filler)
            }
        }
    }

    /// Returns the later identifier of an earlier row.
    package func identifier(of row: StoredRow) -> Int64 { identifier.flatMap { row.values[$0].integerValue } ?? row.id }

    /// Returns the later values of an earlier row; a value without a source is null.
    package func values(of row: StoredRow) -> [StoredValue] {
        var values = mapped(row)
        for (index, renamed) in renamedValues { values[index] = renamed[values[index]] ?? values[index] }
        for (index, numbers) in numbers {
            values[index] = values[index].integerValue.flatMap { numbers[$0] }.map(StoredValue.integer) ?? .null
        }
        return values
    }

    private func mapped(_ row: StoredRow) -> [StoredValue] {
        sources.map { source in
            switch source {
            case .filler(let filler): return filler.value
            case .owners(let owners): return owners[row.id].map(StoredValue.integer) ?? .null
            case .identifier(let conversion): return conversion?.convert(.integer(row.id)) ?? .null
            case .lookedUp(let columns, let ids):
                return ids[columns.map { row.values[$0] }].map(StoredValue.integer) ?? .null
            case .keyValue(let reference, let values):
                guard case .integer(let id) = row.values[reference] else { return .null }
                return values[id] ?? .null
            case .place(let place, let filler): return row.values[place].orFilled(filler)
            case .converted(let place, let conversion, let filler):
                return (conversion?.convert(row.values[place]) ?? .null).orFilled(filler)
            }
        }
    }
}

extension StoredValue {
    /// Returns the value, or the filler's value if it is null and a filler exists.
    fileprivate func orFilled(_ filler: RowMapper.Filler?) -> StoredValue {
        guard isNull, let filler else { return self }
        return filler.value
    }
}
