import Foundation
package import StrataCore
package import StrataStoreKit

/// A store that can keep a history in tables.
package protocol SQLHistoryStore: Sendable {
    associatedtype Connection: SQLConnection

    var layout: SQLLayout { get }
    /// The location of the store, for messages.
    var historyLocation: String { get }
    /// The process text of the transactions of this store object.
    var historyProcess: String { get }
    /// Runs `body` with a connection that reads one state of the store.
    func readHistory<Result>(_ body: (Connection) throws -> Result) throws -> Result
    /// Runs `body` in a transaction that writes.
    func writeHistory<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result
    /// Changes the metadata and the tables in a transaction that no other one overlaps, and makes every open store
    /// object notice the change.
    ///
    /// `body` returns `false` if it changed nothing; open store objects then remain valid.
    func changeHistory(_ body: (Connection) throws -> Bool) throws
}

/// The history of a store in its tables.
package struct SQLHistory<Store: SQLHistoryStore>: StoreHistory {
    private let store: Store

    package init(_ store: Store) { self.store = store }

    private typealias Connection = Store.Connection

    package var process: String { store.historyProcess }

    package var isImmediate: Bool { layout.dialect.historyHorizon == nil }

    private var layout: SQLLayout { store.layout }

    // MARK: Level

    package func level() throws -> HistoryLevel { try store.readHistory { try layout.historyLevel(on: $0) } }

    package func setLevel(_ level: HistoryLevel) throws {
        let isCurrent = try store.readHistory { connection in
            try layout.historyLevel(on: connection) == level && layout.isHistoryIntact(on: connection)
        }
        if isCurrent { return }
        try store.changeHistory { connection in
            let keys = [SQLLayout.historyLevelKey, SQLLayout.historyEpochKey, SQLLayout.historyFloorKey]
            // Another process may have changed the level meanwhile.
            let isIntact = try layout.isHistoryIntact(on: connection)
            if try layout.historyLevel(on: connection) == level, isIntact { return false }
            let isKept = try layout.historyLevel(on: connection) != .off && isIntact
            if level == .off || !isKept {
                for table in SQLLayout.historyTableNames { try connection.execute("DROP TABLE IF EXISTS \(table)") }
                for key in keys { try connection.run(layout.metadataDeletion, .string(key)) }
            }
            if level == .off { return true }
            if !isKept {
                for creation in layout.historyTables { try connection.execute(creation) }
                try connection.run(layout.metadataUpsert, .string(keys[1]), .string(UUID().uuidString))
            }
            try connection.run(layout.metadataUpsert, .string(keys[0]), .string(level.rawValue))
            return true
        }
    }

    // MARK: Reading

    package func newestToken() throws -> HistoryToken {
        try store.readHistory { connection in try newest(try state(connection), connection, isCommitted: true) }
    }

    package func transactions(
        after token: HistoryToken?, limit: Int, _ request: HistoryRequest
    ) throws -> [HistoryTransaction] {
        try store.readHistory { connection in
            let state = try state(connection)
            if let token { try check(token, state, on: connection) }
            let names = request.entities?.sorted() ?? []
            var values: [StoredValue] = [.integer(token?.order ?? -1), .integer(token?.number ?? -1)]
            func next(_ value: StoredValue) -> String {
                values.append(value)
                return layout.parameter(values.count)
            }
            var sql =
                "SELECT number, xid, at, author, context, process FROM \(SQLLayout.historyTransactionTable) AS t "
                + "WHERE (xid, number) > (\(layout.parameter(1)), \(layout.parameter(2)))"
            if let horizon = layout.dialect.historyHorizon { sql += " AND xid < \(horizon)" }
            if let author = request.author { sql += " AND author = \(next(.string(author)))" }
            if request.entities != nil {
                let list = names.map { next(.string($0)) }.joined(separator: ", ")
                sql +=
                    " AND EXISTS (SELECT 1 FROM \(SQLLayout.historyChangeTable) AS c WHERE c.number = t.number AND "
                    + "c.entity IN (\(list.isEmpty ? "NULL" : list)))"
            }
            sql += " ORDER BY xid, number LIMIT \(max(0, limit))"
            let heads = try connection.rows(sql, values) { row in
                Head(
                    token: HistoryToken(
                        epoch: state.epoch, number: row.integer(at: 0), order: row.integer(at: 1)),
                    date: HistoryValues.date(row.integer(at: 2)), author: try row.text(at: 3),
                    context: try row.text(at: 4), process: try row.text(at: 5) ?? "")
            }
            return try heads.map { head in
                HistoryTransaction(
                    token: head.token, date: head.date, author: head.author, context: head.context,
                    process: head.process, changes: try changes(of: head.token.number, names, request, on: connection))
            }
        }
    }

    private struct Head {
        let token: HistoryToken
        let date: Date
        let author: String?
        let context: String?
        let process: String
    }

    private func changes(
        of number: Int64, _ names: [String], _ request: HistoryRequest, on connection: Connection
    ) throws -> [HistoryChange] {
        var sql =
            "SELECT kind, entity, id, last_id, target, columns, before FROM \(SQLLayout.historyChangeTable) "
            + "WHERE number = \(layout.parameter(1))"
        if request.entities != nil {
            let list = names.indices.map { layout.parameter($0 + 2) }.joined(separator: ", ")
            sql += " AND entity IN (\(list.isEmpty ? "NULL" : list))"
        }
        sql += " ORDER BY ordinal"
        return try connection.rows(sql, [.integer(number)] + names.map(StoredValue.string)) { row in
            let kind = try row.text(at: 0).flatMap(HistoryChange.Kind.init) ?? .everything
            let (first, last) = (try row.optionalInteger(at: 2), try row.optionalInteger(at: 3))
            let ids = first.flatMap { first in last.flatMap { first <= $0 ? first...$0 : nil } }
            return HistoryChange(
                kind, try row.text(at: 1) ?? "", ids, target: try row.optionalInteger(at: 4),
                columns: try row.text(at: 5).map { $0.split(separator: ",").map(String.init) },
                before: try row.text(at: 6).map(HistoryValues.values) ?? [:])
        }
    }

    // MARK: Tokens

    private struct State {
        let epoch: UUID
        let floor: HistoryToken?
    }

    private func state(_ connection: Connection) throws -> State {
        guard try layout.historyLevel(on: connection) != .off else {
            throw PersistenceError(
                .notTracked,
                "the store keeps no history; turn it on with PersistentContainer.setHistory(_:of:) or strata history "
                    + "--enable", path: store.historyLocation)
        }
        guard
            let epoch = try connection.text(layout.metadataSelection, .string(SQLLayout.historyEpochKey))
                .flatMap(UUID.init(uuidString:))
        else {
            throw PersistenceError(.corrupt, "the history has no epoch", path: store.historyLocation)
        }
        let floor = try connection.text(layout.metadataSelection, .string(SQLLayout.historyFloorKey))
        return State(epoch: epoch, floor: floor.flatMap { HistoryToken("\(epoch.uuidString):\($0)") })
    }

    /// Returns the token of the last transaction, or of the last one that no running transaction can precede.
    private func newest(_ state: State, _ connection: Connection, isCommitted: Bool) throws -> HistoryToken {
        var sql = "SELECT xid, number FROM \(SQLLayout.historyTransactionTable)"
        if isCommitted, let horizon = layout.dialect.historyHorizon { sql += " WHERE xid < \(horizon)" }
        let last = try connection.rows(sql + " ORDER BY xid DESC, number DESC LIMIT 1", []) { row in
            HistoryToken(epoch: state.epoch, number: row.integer(at: 1), order: row.integer(at: 0))
        }
        let beginning = HistoryToken(epoch: state.epoch, number: 0, order: 0)
        return last.first ?? state.floor ?? beginning
    }

    private func check(_ token: HistoryToken, _ state: State, on connection: Connection) throws {
        func other(_ reason: String) -> PersistenceError {
            PersistenceError(
                .otherStore,
                "the history token is one of another store: \(reason). Read all rows, and continue after "
                    + "a new token", path: store.historyLocation)
        }
        guard token.epoch == state.epoch else {
            throw other("the store was copied, replaced or restored, or its history was turned off meanwhile")
        }
        if let floor = state.floor, token < floor {
            throw PersistenceError(
                .historyExpired,
                "transactions after the history token were deleted; the oldest token that can be used is \(floor). "
                    + "Read all rows, and continue after a new token", path: store.historyLocation)
        }
        if try newest(state, connection, isCommitted: false) < token {
            throw other("it is newer than every transaction")
        }
    }

    // MARK: Consumers

    package func positions() throws -> [HistoryPosition] {
        try store.readHistory { connection in try positions(try state(connection), connection) }
    }

    private func positions(_ state: State, _ connection: Connection) throws -> [HistoryPosition] {
        try connection.rows(
            "SELECT name, number, xid, at FROM \(SQLLayout.historyConsumerTable) ORDER BY name", []
        ) { row in
            HistoryPosition(
                consumer: try row.text(at: 0) ?? "",
                token: HistoryToken(epoch: state.epoch, number: row.integer(at: 1), order: row.integer(at: 2)),
                date: HistoryValues.date(row.integer(at: 3)))
        }
    }

    package func move(_ consumer: String, from old: HistoryToken?, to new: HistoryToken?) throws {
        try store.writeHistory { connection in
            let state = try state(connection)
            if let new { try check(new, state, on: connection) }
            let table = SQLLayout.historyConsumerTable
            switch (old, new) {
            case (nil, nil): return
            case (nil, let new?):
                try connection.run(
                    "INSERT INTO \(table) (name, number, xid, at) VALUES (\(layout.parameters(4))) "
                        + "ON CONFLICT (name) DO NOTHING", .string(consumer), .integer(new.number),
                    .integer(new.order), HistoryValues.now)
            case (let old?, nil):
                try connection.run(
                    "DELETE FROM \(table) WHERE name = \(layout.parameter(1)) AND number = \(layout.parameter(2)) "
                        + "AND xid = \(layout.parameter(3))", .string(consumer), .integer(old.number),
                    .integer(old.order))
            case (let old?, let new?):
                try connection.run(
                    layout.historyConsumerUpdate, .integer(new.number), .integer(new.order), HistoryValues.now,
                    .string(consumer), .integer(old.number), .integer(old.order))
            }
            guard connection.changes == 1 else { throw PersistenceError.movedConsumer(consumer) }
        }
    }

    // MARK: Deletion

    package func deleteTransactions(before token: HistoryToken, isForced: Bool) throws -> HistoryPosition? {
        try store.writeHistory { connection in
            let state = try state(connection)
            try check(token, state, on: connection)
            let (first, second) = (layout.parameter(1), layout.parameter(2))
            let table = SQLLayout.historyTransactionTable
            let position = "SELECT xid, number FROM \(table) WHERE (xid, number)"
            func greatest(_ comparison: String, _ token: HistoryToken) throws -> HistoryToken? {
                try connection.rows(
                    "\(position) \(comparison) (\(first), \(second)) ORDER BY xid DESC, number DESC LIMIT 1",
                    [.integer(token.order), .integer(token.number)]
                ) { row in
                    HistoryToken(epoch: state.epoch, number: row.integer(at: 1), order: row.integer(at: 0))
                }.first
            }
            guard var last = try greatest("<", token) else { return nil }
            var blocking: HistoryPosition?
            if !isForced, let slowest = try positions(state, connection).min(by: { $0.token < $1.token }),
                slowest.token < last
            {
                blocking = slowest
                guard let processed = try greatest("<=", slowest.token) else { return blocking }
                last = processed
            }
            let values: [StoredValue] = [.integer(last.order), .integer(last.number)]
            let deleted = "SELECT number FROM \(table) WHERE (xid, number) <= (\(first), \(second))"
            try connection.run("DELETE FROM \(SQLLayout.historyChangeTable) WHERE number IN (\(deleted))", values)
            try connection.run("DELETE FROM \(table) WHERE (xid, number) <= (\(first), \(second))", values)
            try connection.run(
                layout.metadataUpsert, .string(SQLLayout.historyFloorKey), .string("\(last.order):\(last.number)"))
            return blocking
        }
    }

    package func eraseValues(of id: Int64, _ entity: String) throws -> Int {
        try store.writeHistory { connection in
            _ = try state(connection)
            try connection.run(
                "UPDATE \(SQLLayout.historyChangeTable) SET before = NULL WHERE before IS NOT NULL AND "
                    + "entity = \(layout.parameter(1)) AND id = \(layout.parameter(2))", .string(entity), .integer(id))
            return connection.changes
        }
    }
}

extension SQLLayout {
    /// Returns a Boolean value that indicates whether a store has the tables and the epoch of a history if it has a
    /// level, and no tables otherwise.
    package func isHistoryIntact(on connection: some SQLConnection) throws -> Bool {
        let names = try connection.texts(dialect.relationNames)
        let tables = Self.historyTableNames.filter(names.contains)
        if try historyLevel(on: connection) == .off { return tables.isEmpty }
        return try tables.count == Self.historyTableNames.count
            && connection.text(metadataSelection, .string(Self.historyEpochKey)) != nil
    }

    /// Returns the level of the history that a store keeps.
    package func historyLevel(on connection: some SQLConnection) throws -> HistoryLevel {
        try connection.text(metadataSelection, .string(Self.historyLevelKey)).flatMap(HistoryLevel.init) ?? .off
    }
}

extension SQLConnection {
    /// Returns an element for each result row of a statement.
    fileprivate func rows<Element>(
        _ sql: String, _ values: [StoredValue], _ element: (Statement) throws -> Element
    ) throws -> [Element] {
        let statement = try statement(sql)
        defer { statement.reset() }
        try statement.bind(values)
        var elements: [Element] = []
        while try statement.step() { elements.append(try element(statement)) }
        return elements
    }
}

extension SQLStatement {
    /// Returns the text in a column of the current row; `nil` for null.
    fileprivate func text(at column: Int32) throws -> String? {
        if case .string(let text)? = try value(at: column, as: .string) { text } else { nil }
    }
}
