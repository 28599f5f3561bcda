import StrataPersistence
import StrataStoreKit

/// The rows that a check writes; their records are numbered from 1, and their line numbers are 100 greater.
struct CheckedRows {
    /// The block that is passed to the store's inserter.
    var block: RowBlock
    /// The entity of the rows.
    let entity: EntityDescription

    /// Adds a row to the block.
    ///
    /// The columns that `values` names are present, also if their value is null. All other columns are absent; the
    /// conflict policy `update` does not change them. The note of the row is `row` and its record number.
    ///
    /// - Parameters:
    ///   - id: The identifier, or `nil` if the store assigns it.
    ///   - values: The values, by the name of the column; unknown names are ignored.
    mutating func add(id: Int64?, _ values: [String: StoredValue]) {
        let record = block.count + 1
        block.beginRow(id: id, location: RowLocation(line: record + 100, record: record))
        for (name, value) in values {
            if let column = entity.columnIndex(name) { block.set(value, column: column) }
        }
        block.setNote(Array("row \(record)".utf8).span)
    }
}

extension ContractProbe {
    /// Writes rows as one block; columns without a name in the values are absent.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity.
    ///   - options: The policies for existing rows and for dangling references.
    ///   - body: A closure that adds the rows.
    /// - Returns: The counts of the inserter after the transaction, which includes the check of references.
    /// - Throws: The error of the store. In that case, the store contains none of the rows.
    func write(
        _ entity: String, _ options: InsertOptions, _ body: (inout CheckedRows) -> Void
    ) throws -> InsertCounts {
        let description = try store.model.entity(named: entity)
        var rows = CheckedRows(block: RowBlock(of: description), entity: description)
        body(&rows)
        var inserter: (any RowInserter)?
        try store.writeRows { writer in
            inserter = try writer.inserter(of: entity, options)
            try inserter?.insert(&rows.block)
        }
        return inserter?.counts ?? InsertCounts()
    }

    /// Returns the values of one column in all rows, by identifier.
    func column(_ entity: String, _ name: String) throws -> [StoredValue] {
        let index = try store.model.entity(named: entity).columnIndex(name) ?? 0
        var values: [StoredValue] = []
        try store.fetch(StoreRequest(entity)) { row in
            values.append(try row.value(at: index))
            return .next
        }
        return values
    }
}
