#if PostgreSQL
import StrataCore

/// A way on which the stores of one schema tell each other what they write.
protocol PostgreSQLChangeFeed: Sendable {
    /// Makes what it needs in the store, where that is missing.
    func prepare(_ settings: PostgreSQLSettings, on connection: PostgreSQLConnection) throws

    /// Says, inside the transaction, what it has written: others hear it when it is committed.
    func tell(_ entities: Set<String>, on connection: PostgreSQLConnection) throws

    /// Begins to hear what others say from now on, on a connection that is used for nothing else.
    func hearing(on connection: PostgreSQLConnection) throws -> any PostgreSQLHearing
}

/// What hears others on one connection; used by one thread at a time.
protocol PostgreSQLHearing: Sendable {
    /// Waits until others have written.
    ///
    /// - Parameter alarm: What ends the waiting.
    /// - Returns: The entities; `nil` where the alarm rang.
    /// - Throws: ``PersistenceError`` where the connection is lost.
    func next(until alarm: PostgreSQLAlarm) throws -> Set<String>?

    /// Ends the connection.
    func end()
}

extension PostgreSQLSettings {
    /// How a store tells others what it writes; `nil` where that is not asked for.
    ///
    /// - Parameter model: The store's model.
    /// - Returns: What the server can: its notifications, or marks in a table.
    func changeFeed(of model: ManagedObjectModel) -> (any PostgreSQLChangeFeed)? {
        guard announcesChanges else { return nil }
        let entities = Set(model.entities.map(\.name))
        if server.capabilities.contains(.notifications) {
            return PostgreSQLNotifications(schema: schema, entities: entities)
        }
        return PostgreSQLChangeMarks(schema: schema, entities: entities, isReadOnly: isReadOnly)
    }
}
#endif
