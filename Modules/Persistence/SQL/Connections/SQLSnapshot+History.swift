import Foundation
package import StrataCore

extension SQLSnapshot {
    /// Copies the history of the snapshot into a new store, with an epoch of its own.
    ///
    /// - Parameters:
    ///   - target: A connection in the transaction that creates the new store, which has the metadata table.
    ///   - layout: The layout of the new store.
    /// - Throws: ``PersistenceError`` if the history cannot be read or written.
    package func copyHistory(to target: any SQLConnection, in layout: SQLLayout) throws {
        try read { source in
            let level = try layout.historyLevel(on: source)
            guard level != .off else { return }
            for creation in layout.historyTables { try target.execute(creation) }
            for (table, columns) in SQLLayout.historyColumns {
                let names = columns.map(\.name).joined(separator: ", ")
                let insertion = "INSERT INTO \(table) (\(names)) VALUES (\(layout.parameters(columns.count)))"
                let rows = try source.statement("SELECT \(names) FROM \(table)")
                defer { rows.reset() }
                while try rows.step() {
                    let values = try columns.indices.map { index in
                        try rows.value(at: Int32(index), as: columns[index].type) ?? .null
                    }
                    try target.run(insertion, values)
                }
            }
            let floor = try source.text(layout.metadataSelection, .string(SQLLayout.historyFloorKey))
            let entries = [
                SQLLayout.historyLevelKey: level.rawValue, SQLLayout.historyEpochKey: UUID().uuidString,
                SQLLayout.historyFloorKey: floor,
            ]
            for (key, value) in entries {
                if let value { try target.run(layout.metadataUpsert, .string(key), .string(value)) }
            }
        }
    }

    /// Returns the level of the history of the snapshot.
    package func historyLevel(in layout: SQLLayout) throws -> HistoryLevel {
        try read { try layout.historyLevel(on: $0) }
    }
}
