import StrataCore

/// The tables of a store that keeps a history, and the metadata of the history.
extension SQLLayout {
    package static let historyTransactionTable = "strata_history_transaction"
    package static let historyChangeTable = "strata_history_change"
    package static let historyConsumerTable = "strata_history_consumer"
    package static let historyTableNames = [historyTransactionTable, historyChangeTable, historyConsumerTable]

    /// The metadata key of the level of the history; the entry is missing if the level is off.
    package static let historyLevelKey = "history.level"
    /// The metadata key of the epoch, a random identifier that no copy of the store has.
    package static let historyEpochKey = "history.epoch"
    /// The metadata key of the greatest deleted position, as `order:number`; the entry is missing if there is none.
    package static let historyFloorKey = "history.floor"

    /// The columns of the tables with their types, for copies.
    static let historyColumns: [(table: String, columns: [(name: String, type: AttributeType)])] = [
        (
            historyTransactionTable,
            [
                ("number", .integer64), ("xid", .integer64), ("at", .integer64), ("author", .string),
                ("context", .string), ("process", .string),
            ]
        ),
        (
            historyChangeTable,
            [
                ("number", .integer64), ("ordinal", .integer64), ("kind", .string), ("entity", .string),
                ("id", .integer64), ("last_id", .integer64), ("target", .integer64), ("columns", .string),
                ("before", .string),
            ]
        ),
        (
            historyConsumerTable,
            [("name", .string), ("number", .integer64), ("xid", .integer64), ("at", .integer64)]
        ),
    ]

    /// The statements that create the tables.
    ///
    /// Numbers are never used again: `AUTOINCREMENT` or an identity column ensures this also after all rows are
    /// deleted.
    package var historyTables: [String] {
        let (text, integer) = (dialect.columnType(.string), dialect.columnType(.integer64))
        let order = "xid \(integer) NOT NULL"
        return [
            "CREATE TABLE \(Self.historyTransactionTable) (number \(dialect.historyNumber), \(order), "
                + "at \(integer) NOT NULL, author \(text), context \(text), process \(text) NOT NULL)"
                + dialect.tableOptions(keyColumns: 1),
            "CREATE TABLE \(Self.historyChangeTable) (number \(integer) NOT NULL, ordinal \(integer) NOT NULL, "
                + "kind \(text) NOT NULL, entity \(text) NOT NULL, id \(integer), last_id \(integer), "
                + "target \(integer), columns \(text), before \(text), PRIMARY KEY (number, ordinal))"
                + dialect.tableOptions(keyColumns: 2),
            "CREATE TABLE \(Self.historyConsumerTable) (name \(text) NOT NULL PRIMARY KEY, "
                + "number \(integer) NOT NULL, \(order), at \(integer) NOT NULL)" + dialect.tableOptions(keyColumns: 1),
        ]
    }

    /// The statement that inserts a transaction and returns its number.
    var historyTransactionInsertion: String {
        "INSERT INTO \(Self.historyTransactionTable) (xid, at, author, context, process) VALUES "
            + "(\(dialect.transactionOrder), \(parameters(4))) RETURNING number"
    }

    /// The statement that inserts a change.
    var historyChangeInsertion: String {
        "INSERT INTO \(Self.historyChangeTable) (number, ordinal, kind, entity, id, last_id, target, columns, before) "
            + "VALUES (\(parameters(9)))"
    }

    /// The statement that moves a consumer from one position to another.
    var historyConsumerUpdate: String {
        "UPDATE \(Self.historyConsumerTable) SET number = \(parameter(1)), xid = \(parameter(2)), at = \(parameter(3)) "
            + "WHERE name = \(parameter(4)) AND number = \(parameter(5)) AND xid = \(parameter(6))"
    }
}
