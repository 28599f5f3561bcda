package import Foundation
package import StrataCore

/// A mapper that creates the later row for each earlier row of an entity.
///
/// A store in memory uses it for all rows. A store in a database uses it only for entities whose rows must pass through
/// Swift, because a transform or a record type creates values; for all others, its statements have the same result.
package struct RowMapper {
    /// The value that a later column gets if the earlier value is null or does not exist.
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

    /// The origin of a later column's values, determined once and not for every row.
    private enum Source {
        case filler(Filler)
        /// The identifiers of the rows that reference a row, by the identifier of that row.
        ///
        /// The later model stores the reference at this side of the relationship.
        case owners([Int64: Int64])
        /// The value of the earlier column at this index; `place` copies it and `converted` converts it.
        case place(Int, ifNull: Filler?)
        case converted(Int, ValueConversion?, ifNull: Filler?)
        /// The earlier identifier of the row, converted if there is a conversion.
        case identifier(ValueConversion?)
        /// The identifier of the row whose key equals the row's values in these columns.
        case lookedUp([Int], [[StoredValue]: Int64])
        /// A value of the row that the column at this index references, by the identifier of the referenced row.
        case keyValue(Int, [Int64: StoredValue])
    }

    private let sources: [Source]
    /// The index of the earlier column whose value becomes the identifier; `nil` if rows keep their identifiers.
    private let identifier: Int?
    /// The later identifiers of referenced rows by their earlier ones, for each reference column whose target is
    /// renumbered.
    private let numbers: [Int: [Int64: Int64]]
    /// The later values by the renamed earlier values, for each column index.
    private let renamedValues: [Int: [StoredValue: StoredValue]]

    /// Creates a mapper for an entity's rows; `nil` if the entity is new.
    ///
    /// - Parameters:
    ///   - mapping: The mapping of the entity.
    ///   - models: The mapping between the earlier and the later model.
    ///   - now: The value of new attributes whose default is the time of creation.
    ///   - rows: A closure that passes the identifier and the values in some columns of each row of an earlier entity
    ///     to `body`.
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

    /// Returns the later values for an earlier row; a later value without an origin is null.
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
    /// Returns this value; if it is null and there is a filler, returns the filler's value.
    fileprivate func orFilled(_ filler: RowMapper.Filler?) -> StoredValue {
        guard isNull, let filler else { return self }
        return filler.value
    }
}
