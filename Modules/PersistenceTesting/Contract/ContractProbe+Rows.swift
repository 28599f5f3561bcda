import StrataPersistence
import StrataStoreKit

/// The rows that a check writes; their records are numbered from 1, and their line numbers are 100 greater.
struct CheckedRows {
    var block: RowBlock
    let entity: EntityDescription

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
