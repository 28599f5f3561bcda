package import Foundation

/// Makes later rows of earlier ones, one by one, as a mapping says.
package struct RowMapper {
    /// What a column gets where the earlier row has nothing for it.
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

    /// Where a column's value comes from: settled once, and not for every row.
    private enum Source {
        case filler(Filler)
        /// Who refers to each row, for a column that is kept at this side now.
        case owners([Int64: Int64])
        /// The earlier value, as it is or converted.
        case place(Int, ifNull: Filler?)
        case converted(Int, ValueConversion?, ifNull: Filler?)
        /// The row's identifier, converted.
        case identifier(ValueConversion?)
        /// The identifier of the row that has the values of columns as its key.
        case lookedUp([Int], [[StoredValue]: Int64])
        /// A value of the row that a column refers to.
        case keyValue(Int, [Int64: StoredValue])
    }

    private let sources: [Source]
    /// The place of the earlier value that becomes the row's identifier.
    private let identifier: Int?
    /// The later identifiers of the rows to which a column refers, by the earlier ones; by the column's place, if they
    /// change.
    private let numbers: [Int: [Int64: Int64]]
    /// The values that take the places of others, by the column's place.
    private let renamedValues: [Int: [StoredValue: StoredValue]]

    /// - Parameters:
    ///   - mapping: The mapping of the entity.
    ///   - models: The mapping of the models.
    ///   - now: The instant that new attributes get whose default is that of their making.
    ///   - rows: Gives the rows of an earlier entity: their identifiers, and the values of columns.
    ///
    /// `nil` for an entity that is new.
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

    /// The later values of an earlier row; null where nothing leads to one.
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
    /// The value; what takes its place where it is null and may not be.
    fileprivate func orFilled(_ filler: RowMapper.Filler?) -> StoredValue {
        guard isNull, let filler else { return self }
        return filler.value
    }
}
