import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite
@testable import StrataStoreKit

/// Transactions that SQLite ends itself because the disk fails or memory is exhausted.
@Suite("Transactions ended by SQLite")
struct EndedTransactionTests {
    @Test("a bulk insert stores nothing if SQLite ends the transaction early", arguments: [false, true])
    func bulkInsert(continues: Bool) throws {
        let stack = try StoreKind.sqlite.league()
        let store = try #require(stack.container.coordinator.store as? SQLiteStore)
        // This simulates a disk error, which also rolls back the whole transaction and not only the statement.
        try store.withWriter { connection in
            let definition = try #require(
                try connection.text("SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = 'Team'"))
            let name = "\"name\" TEXT NOT NULL"
            #expect(definition.contains(name))
            try connection.execute("DROP TABLE \"Team\"")
            try connection.execute(
                definition.replacingOccurrences(of: name, with: name + " UNIQUE ON CONFLICT ROLLBACK"))
        }
        let error = try persistenceError {
            try stack.container.batchInsert(into: "Team", InsertOptions(buildsIndexesLast: false)) { rows in
                var block = RowBlock(of: rows.entity)
                for record in 1...200 {
                    block.beginRow(location: RowLocation(line: record, record: record))
                    block.setText(Array("T\(record == 100 ? 1 : record)".utf8).span, column: 0)
                    block.setInteger(1, column: 2)
                }
                do {
                    try rows.insert(&block)
                } catch  where continues {
                    // A caller that treats the error as an error of one row must not be able to store the rest.
                    block.removeAll()
                    block.beginRow(location: RowLocation(line: 1, record: 1))
                    block.setText(Array("later".utf8).span, column: 0)
                    block.setInteger(1, column: 2)
                    try rows.insert(&block)
                }
            }
        }
        #expect(error.code == (continues ? .database : .uniqueness))
        #expect(try stack.stored(Team.self).isEmpty)
    }
}
