import StrataCore
import StrataStoreKit

/// Finds the existing row that an input row conflicts with, and handles the conflict as the insert options define.
final class SQLRowConflicts {
    private unowned let inserter: SQLInsertedRows
    private let entity: EntityDescription
    private let layout: SQLLayout
    private let connection: any SQLBulkConnection
    private let immutableColumns: [Int]
    /// The unique keys of the entity, each with the query for the row that has a given key; the queries are built once.
    private let lookups: [(key: UniqueKey, sql: String)]
    private let lookupByIdentifier: String
    private var statements: [String: any SQLStatement] = [:]

    init(_ inserter: SQLInsertedRows) {
        let (entity, layout) = (inserter.entity, inserter.writer.layout)
        self.inserter = inserter
        self.entity = entity
        self.layout = layout
        connection = inserter.writer.connection
        lookups = entity.uniqueKeys.map { ($0, layout.identifier(byColumns: $0.columns, entity)) }
        lookupByIdentifier = layout.identifier(byColumns: [], entity)
        immutableColumns = entity.columns.indices.filter { entity.columns[$0].isImmutable }
    }

    /// Handles an input row that may match an existing row.
    ///
    /// - Returns: The identifier of the existing row; `nil` if no existing row matches, so that the input row is new.
    func resolve(_ block: RowBlock, row: Int, given: Int64) throws -> Int64? {
        guard let match = try match(block, row: row, given: given) else { return nil }
        if inserter.options.onConflict == .ignore {
            inserter.counts.ignored += 1
            return match.id
        }
        try checkImmutables(block, row: row, id: match.id)
        do {
            if let collision = match.collision { throw collision }
            try update(block, row: row, id: match.id)
        } catch let error as PersistenceError where error.code == .uniqueness && inserter.mayWait(block) {
            try inserter.wait(block, row, id: match.id, isStored: match.isStored, error)
            return match.id
        }
        inserter.didUpdate(match.id)
        try inserter.note(block, row, owner: match.id, isNew: false)
        return match.id
    }

    /// Frees the prepared statements.
    func end() {
        for statement in statements.values { statement.reset() }
        statements = [:]
    }

    /// The existing row that an input row identifies by its identifier or by a unique key.
    private struct Match {
        let id: Int64
        let isStored: Bool
        /// The error about a unique value of the input row that a different row has; `nil` if there is none.
        let collision: PersistenceError?
    }

    private func match(_ block: RowBlock, row: Int, given: Int64) throws -> Match? {
        var found: Int64?
        var collision = inserter.writer.waitingError(of: given, entity)
        if given != 0 {
            let statement = try statement(lookupByIdentifier)
            defer { statement.rewind() }
            try statement.bind(given, at: 1)
            if try statement.step() { found = given }
        }
        for (key, sql) in lookups {
            var isGiven = true
            for column in key.columns {
                let kind = block.cell(row, column).kind
                if kind == .absent || kind == .null { isGiven = false }
            }
            guard isGiven else { continue }
            let statement = try statement(sql)
            defer { statement.reset() }
            for (place, column) in key.columns.enumerated() {
                try statement.bind(block, row: row, column: column, at: Int32(place) + 1)
            }
            guard try statement.step() else { continue }
            let owner = statement.integer(at: 0)
            if inserter.options.onConflict == .ignore { return Match(id: owner, isStored: true, collision: nil) }
            if let first = found ?? (given == 0 ? nil : given), first != owner {
                collision =
                    collision
                    ?? .takenByOther(
                        entity, key: key, value: key.value { block.value(row: row, column: $0) }, id: first,
                        owner: owner)
            } else {
                found = owner
            }
        }
        if let found {
            collision = collision ?? inserter.writer.waitingError(of: found, entity)
            return Match(id: found, isStored: true, collision: collision)
        }
        return collision.map { Match(id: given, isStored: false, collision: $0) }
    }

    private func checkImmutables(_ block: RowBlock, row: Int, id: Int64) throws {
        for column in immutableColumns {
            guard let value = block.value(row: row, column: column) else { continue }
            guard let stored = try stored(column, id), stored != value else { continue }
            throw PersistenceError.immutableChanged(entity, column: column, value: value, id: id)
        }
    }

    private func update(_ block: RowBlock, row: Int, id: Int64) throws {
        if inserter.mayReject { try inserter.writer.pending.keep(id, of: entity) }
        let isReplacing = inserter.options.onConflict == .replace
        let columns = entity.columns.indices.filter { column in
            block.cell(row, column).kind != .absent || (isReplacing && !entity.columns[column].isImmutable)
        }
        let statement = try statement(layout.update(columns, of: entity, checksVersion: false))
        defer { statement.reset() }
        let defaults = inserter.defaults
        for (parameter, column) in columns.enumerated() {
            let index = Int32(parameter) + 1
            if block.cell(row, column).kind == .absent {
                try statement.bind(defaults.value(column), at: index)
            } else {
                try statement.bind(block, row: row, column: column, at: index)
            }
        }
        try statement.bind(id, at: Int32(columns.count) + 1)
        do {
            _ = try connection.attempt { try statement.step() }
        } catch let error as PersistenceError where error.code == .uniqueness {
            statement.reset()
            var values = block.values(ofRow: row) { defaults.value($0) }
            // Columns that the input omits keep their stored values, which may be part of a unique key.
            for column in entity.columns.indices where !columns.contains(column) {
                values[column] = try stored(column, id) ?? .null
            }
            throw error.namingRow(StoredRow(id: id, values: values), entity)
        }
    }

    /// Returns the stored value of a column in the row with an identifier; `nil` if the row does not exist.
    private func stored(_ column: Int, _ id: Int64) throws -> StoredValue? {
        let statement = try statement(layout.selection(ofColumn: column, entity))
        defer { statement.rewind() }
        try statement.bind(id, at: 1)
        guard try statement.step() else { return nil }
        return try statement.value(at: 0, as: entity.columns[column].type)
    }

    private func statement(_ sql: String) throws -> any SQLStatement {
        if let statement = statements[sql] { return statement }
        let statement = try connection.prepare(sql)
        statements[sql] = statement
        return statement
    }
}
