#if PostgreSQL
import StrataCore

/// A mechanism by which the stores that several processes have open in one database schema report their changes to each
/// other.
protocol PostgreSQLChangeFeed: Sendable {
    /// Creates the tables of the feed if they are missing.
    func prepare(_ settings: PostgreSQLSettings, on connection: PostgreSQLConnection) throws

    /// Announces the entities that the connection's open transaction has changed; subscribers are notified after its
    /// commit.
    func announce(_ entities: Set<String>, on connection: PostgreSQLConnection) throws

    /// Subscribes to all changes that other stores commit after this call; the connection must have no other use.
    func subscribe(on connection: PostgreSQLConnection) throws -> any PostgreSQLChangeSubscription
}

/// A subscription to the changes of other stores on one connection; only one thread may use it at a time.
protocol PostgreSQLChangeSubscription: Sendable {
    /// Waits until another store commits a change.
    ///
    /// - Parameter wakeUp: The pipe whose signal ends the wait.
    /// - Returns: The names of the changed entities, or `nil` if `wakeUp` was signaled.
    /// - Throws: ``PersistenceError`` if the connection is lost.
    func next(until wakeUp: WakeUpPipe) throws -> Set<String>?

    /// Ends the subscription and closes the connection.
    func end()
}

extension PostgreSQLSettings {
    /// Returns the feed by which the store announces its changes, or `nil` if ``announcesChanges`` is false.
    ///
    /// - Parameter model: The store's model.
    /// - Returns: A feed that uses the server's notifications, or, if the server has none, a feed that polls a table.
    func changeFeed(of model: ManagedObjectModel) -> (any PostgreSQLChangeFeed)? {
        guard announcesChanges else { return nil }
        let entities = Set(model.entities.map(\.name))
        if server.capabilities.contains(.notifications) {
            return PostgreSQLNotifications(schema: schema, entities: entities)
        }
        return PostgreSQLPollingFeed(schema: schema, entities: entities, isReadOnly: isReadOnly)
    }
}

/// The text form of the entity names in an announcement of a change; the text contains no spaces.
enum PostgreSQLAnnouncement {
    /// Returns entity names separated by commas; if the result would exceed the limit, returns an empty text, which
    /// means all entities.
    ///
    /// The names consist of letters, digits and `_`.
    static func text(of entities: Set<String>, atMost byteCount: Int = .max) -> String {
        let text = entities.sorted().joined(separator: ",")
        return text.utf8.count <= byteCount ? text : ""
    }

    /// Returns those entities of a model that a text names; if another program has written the text, it may name any of
    /// them.
    static func entities(in text: Substring, of model: Set<String>) -> Set<String> {
        if text.isEmpty { return model }
        return model.intersection(text.split(separator: ",").map(String.init))
    }
}
#endif
