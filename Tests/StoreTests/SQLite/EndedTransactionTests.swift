import Foundation
import PersistenceTestSupport
import StrataTesting
import Testing

@testable import StrataCore
@testable import StrataInMemory
@testable import StrataPersistence
@testable import StrataSQLite

/// SQLite ends a transaction by itself where the disk fails or memory is out.
@Suite("Transactions that SQLite ended")
struct EndedTransactionTests {
    @Test("nothing of a bulk insert is stored when its transaction ended under it", arguments: [false, true])
    func bulkInsert(goesOn: Bool) throws {
        let stack = try StoreKind.sqlite.league()
        let store = try #require(stack.container.coordinator.store as? SQLiteStore)
        // Stands for an error of the disk: it too takes the whole transaction back, not the statement alone.
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
                } catch  where goesOn {
                    // Whoever takes the error for one row's must not get the rest stored.
                    block.removeAll()
                    block.beginRow(location: RowLocation(line: 1, record: 1))
                    block.setText(Array("later".utf8).span, column: 0)
                    block.setInteger(1, column: 2)
                    try rows.insert(&block)
                }
            }
        }
        #expect(error.code == (goesOn ? .database : .uniqueness))
        #expect(try stack.stored(Team.self).isEmpty)
    }
}
