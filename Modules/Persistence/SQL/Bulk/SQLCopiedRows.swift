import StrataCore
package import StrataStoreKit

/// A copy of a snapshot's rows, join rows, next identifiers and metadata into the empty tables of a new store.
package struct SQLCopiedRows {
    private let copy: StoreCopy
    private let layout: SQLLayout
    private let connection: any SQLBulkConnection
    private let meter: CopyMeter

    /// Creates a copy on a connection that is in a transaction.
    package init(_ copy: StoreCopy, in layout: SQLLayout, on connection: any SQLBulkConnection, _ meter: CopyMeter) {
        (self.copy, self.layout, self.connection, self.meter) = (copy, layout, connection, meter)
    }

    /// Writes the snapshot's rows, and then its join rows.
    ///
    /// - Throws: ``PersistenceError`` if a row cannot be read or written, or `CancellationError`.
    package func write() throws {
        for entity in layout.model.entities { try write(entity) }
        for join in layout.model.joins { try write(join) }
    }

    /// Writes the snapshot's next identifiers and user metadata, and the given metadata entries of the new store.
    package func writeMarks(and entries: [String: String]) throws {
        for (entity, next) in try copy.snapshot.identifierMarks().sorted(by: { $0.key < $1.key }) {
            try connection.run(layout.markUpsert, .string(entity), .integer(next))
        }
        var entries = entries
        for (key, text) in try copy.snapshot.metadata() { entries[SQLLayout.userKeyPrefix + key] = text }
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            try connection.run(layout.metadataUpsert, .string(key), .string(value))
        }
    }

    private func write(_ entity: EntityDescription) throws {
        let statement = try connection.prepare(layout.insertion(entity))
        let columns = entity.columns.indices
        _ = try copy.snapshot.openCursor(StoreRequest(entity.name)).read { row in
            try meter.addRow()
            try statement.bind(row.rawID, at: 1)
            try statement.bind(row.version, at: 2)
            for column in columns { try statement.bind(try row.value(at: column), at: Int32(column) + 3) }
            do { _ = try statement.step() } catch let error as PersistenceError where error.code == .uniqueness {
                let values = try columns.map { try row.value(at: $0) }
                throw error.namingRow(StoredRow(id: row.rawID, version: row.version, values: values), entity)
            }
            statement.rewind()
            return .next
        }
    }

    private func write(_ join: JoinDescription) throws {
        let statement = try connection.prepare(layout.insertion(join))
        try copy.snapshot.joins(JoinRequest(join.name)) { row in
            try meter.step()
            try statement.bind(row.values(of: join))
            _ = try statement.step()
            statement.rewind()
            return .next
        }
    }
}
