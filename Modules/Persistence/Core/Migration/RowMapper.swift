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
    }

    private let sources: [Source]

    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - now: The instant that new attributes get whose default is that of their making.
    ///   - references: Gives the rows of an earlier entity that refer to another in a column: who refers, and to whom.
    ///
    /// `nil` for an entity that is new.
    package init?(
        _ mapping: EntityMapping, now: Date,
        references: (_ entity: String, _ column: Int, _ body: (_ owner: Int64, _ target: Int64) -> Void) throws -> Void
    ) rethrows {
        guard let earlier = mapping.source else { return nil }
        sources = try mapping.columns.indices.map { index in
            let column = mapping.entity.columns[index]
            switch mapping.columns[index] {
            case .added: return .filler(Filler(column, now: now))
            case .reversed(let entity, let reference):
                var owners: [Int64: Int64] = [:]
                try references(entity, reference) { owners[$1] = $0 }
                return .owners(owners)
            case .copied(let place):
                let isFilled = earlier.columns[place].isOptional && !column.isOptional
                let filler = isFilled ? Filler(column, now: now) : nil
                return earlier.columns[place].type == column.type
                    ? .place(place, ifNull: filler)
                    : .converted(place, mapping.conversion(of: index), ifNull: filler)
            }
        }
    }

    /// The later values of an earlier row; null where nothing leads to one.
    package func values(of row: StoredRow) -> [StoredValue] {
        sources.map { source in
            switch source {
            case .filler(let filler): return filler.value
            case .owners(let owners): return owners[row.id].map(StoredValue.integer) ?? .null
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
