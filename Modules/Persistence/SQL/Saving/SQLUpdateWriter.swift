import StrataCore
import StrataStoreKit

/// A writer of the updates of one entity's rows; successive updates of the same columns use the same statement.
final class SQLUpdateWriter<Connection: SQLConnection> {
    private let layout: SQLLayout
    private let connection: Connection
    private let entity: EntityDescription
    private var prepared: (columns: [Int], statement: Connection.Statement)?

    init(layout: SQLLayout, connection: Connection, entity: EntityDescription) {
        self.layout = layout
        self.connection = connection
        self.entity = entity
    }

    /// Writes an update; returns false if no row has the identifier and the expected version.
    func write(_ update: ChangeSet.Update) throws -> Bool {
        let statement = try statement(update.changedColumns)
        defer { statement.rewind() }
        var parameter: Int32 = 1
        for column in update.changedColumns {
            try statement.bind(update.values[column], at: parameter)
            parameter += 1
        }
        try statement.bind(update.id, at: parameter)
        try statement.bind(update.expectedVersion, at: parameter + 1)
        while try statement.step() {}
        return connection.changes > 0
    }

    /// Frees the current statement.
    func finish() {
        prepared?.statement.reset()
        prepared = nil
    }

    private func statement(_ columns: [Int]) throws -> Connection.Statement {
        if let prepared, prepared.columns == columns { return prepared.statement }
        finish()
        let statement = try connection.statement(layout.update(columns, of: entity, checksVersion: true))
        prepared = (columns, statement)
        return statement
    }
}
