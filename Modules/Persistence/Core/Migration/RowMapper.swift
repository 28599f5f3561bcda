package import Foundation

/// Makes later rows of earlier ones, one by one, as a mapping says.
package struct RowMapper {
    private let mapping: EntityMapping
    private let source: EntityDescription
    private let conversions: [ValueConversion?]
    private let now: Date
    /// Who refers to each row, by the columns that are kept at this side now.
    private let owners: [Int: [Int64: Int64]]

    /// - Parameters:
    ///   - mapping: The mapping.
    ///   - now: The instant that new attributes get whose default is that of their making.
    ///   - references: Gives the rows of an earlier entity that refer to another in a column: who refers, and to whom.
    /// - Returns: `nil` for an entity that is new.
    package init?(
        _ mapping: EntityMapping, now: Date,
        references: (_ entity: String, _ column: Int, _ body: (_ owner: Int64, _ target: Int64) -> Void) throws -> Void
    ) rethrows {
        guard let source = mapping.source else { return nil }
        (self.mapping, self.source, self.now) = (mapping, source, now)
        conversions = mapping.columns.indices.map(mapping.conversion)
        var owners: [Int: [Int64: Int64]] = [:]
        for (index, column) in mapping.columns.enumerated() {
            guard case .reversed(let entity, let reference) = column else { continue }
            try references(entity, reference) { owners[index, default: [:]][$1] = $0 }
        }
        self.owners = owners
    }

    /// The later values of an earlier row; null where nothing leads to one.
    package func values(of row: StoredRow) -> [StoredValue] {
        mapping.columns.indices.map { index in
            let column = mapping.entity.columns[index]
            switch mapping.columns[index] {
            case .added: return filler(column)
            case .reversed: return owners[index]?[row.id].map(StoredValue.integer) ?? .null
            case .copied(let place):
                let value = conversions[index]?.convert(row.values[place]) ?? .null
                return value.isNull && source.columns[place].isOptional && !column.isOptional ? filler(column) : value
            }
        }
    }

    private func filler(_ column: ColumnDescription) -> StoredValue {
        switch column.attribute?.defaultValue {
        case .constant(let value): value.converted(to: column.type) ?? value
        case .now: .date(now)
        case .newUUID: .uuid(UUID())
        case nil: .null
        }
    }
}
