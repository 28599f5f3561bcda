import StrataCore

/// The next identifier of an entity in the store, which is greater than all identifiers that were assigned before.
package struct SQLSequence<Connection: SQLConnection> {
    private let entity: String
    private let layout: SQLLayout
    private let connection: Connection

    package init(_ entity: String, in layout: SQLLayout, on connection: Connection) {
        (self.entity, self.layout, self.connection) = (entity, layout, connection)
    }

    package func next() throws -> Int64 { try connection.number(layout.markSelection, .string(entity)) ?? 1 }

    package func raise(above id: Int64) throws {
        try connection.run(layout.markUpsert, .string(entity), .integer(id + 1))
    }
}
