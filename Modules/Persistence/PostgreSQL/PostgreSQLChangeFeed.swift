#if PostgreSQL
import StrataCore

/// A mechanism by which the stores of one schema report their changes to each other.
protocol PostgreSQLChangeFeed: Sendable {
    /// Creates the database objects of the feed if they are missing.
    func prepare(_ settings: PostgreSQLSettings, on connection: PostgreSQLConnection) throws

    /// Announces, inside the transaction, the entities that it changed; subscribers are notified after the commit.
    func announce(_ entities: Set<String>, on connection: PostgreSQLConnection) throws

    /// Subscribes to the changes of other stores from now on, on a connection that has no other use.
    func subscribe(on connection: PostgreSQLConnection) throws -> any PostgreSQLChangeSubscription
}

/// A subscription to the changes of other stores on one connection; only one thread may use it at a time.
protocol PostgreSQLChangeSubscription: Sendable {
    /// Waits until another store has committed a change.
    ///
    /// - Parameter wakeUp: The signal that ends the wait.
    /// - Returns: The changed entities, or `nil` if the signal was sent.
    /// - Throws: ``PersistenceError`` if the connection is lost.
    func next(until wakeUp: WakeUpPipe) throws -> Set<String>?

    /// Closes the connection.
    func end()
}

extension PostgreSQLSettings {
    /// Returns the feed that announces the store's changes, or `nil` if the settings do not request one.
    ///
    /// - Parameter model: The store's model.
    /// - Returns: A feed that uses the server's notifications if it has them, otherwise a feed that polls a table.
    func changeFeed(of model: ManagedObjectModel) -> (any PostgreSQLChangeFeed)? {
        guard announcesChanges else { return nil }
        let entities = Set(model.entities.map(\.name))
        if server.capabilities.contains(.notifications) {
            return PostgreSQLNotifications(schema: schema, entities: entities)
        }
        return PostgreSQLPollingFeed(schema: schema, entities: entities, isReadOnly: isReadOnly)
    }
}
#endif
