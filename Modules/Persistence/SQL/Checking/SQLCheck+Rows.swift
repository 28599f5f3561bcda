import StrataCore
import StrataStoreKit

/// The checks of single rows: the identifier, the types of the values, the model's rules, and the initializer of the
/// Swift record type.
extension SQLCheck {
    func checkRows(_ entity: EntityDescription) throws {
        let rows = StoredRowCheck(entity, model.form(of: entity.name))
        let types = entity.columnTypes
        var last: Int64 = 0
        var isWholeTable = false
        // Rows after the last readable one may have greater identifiers.
        defer { greatest[entity.name] = GreatestIdentifier(id: last, isKnown: isWholeTable) }
        // The query reads the table itself and ignores its indexes.
        let table = layout.table(entity.name) + engine.withoutIndexes
        try engine.forEach("SELECT \(layout.rowColumns(entity)) FROM \(table)\(engine.order)") { statement in
            try didRead()
            let id = statement.integer(at: 0)
            try checkIdentifier(id, behind: last, of: entity)
            last = max(last, id)
            if !engine.isInteger(statement, at: 1) {
                try found(
                    StoreFault(
                        .type, "is not a whole number", entity: entity.name, id: id,
                        attribute: TableDescription.ColumnName.version))
            }
            try rows.check(
                id: id, version: statement.integer(at: 1), isWhole: identifierRange.contains(id),
                cell: { engine.cell(statement, at: Int32($0) + 2, of: types[$0]) }, found: { try found($0) })
        }
        isWholeTable = true
    }

    private func checkIdentifier(_ id: Int64, behind last: Int64, of entity: EntityDescription) throws {
        let name = TableDescription.ColumnName.id
        if !identifierRange.contains(id) {
            let range = "\(identifierRange.lowerBound) to \(identifierRange.upperBound)"
            try found(
                StoreFault(.identifier, "is not an identifier (\(range))", entity: entity.name, id: id, attribute: name)
            )
        } else if id <= last {
            try found(
                StoreFault(
                    .identifier, "follows \(last) and is not in ascending order", entity: entity.name, id: id,
                    attribute: name))
        }
    }
}
