/// The entities that other containers have changed since the last notification, in this process or another one.
///
/// A remote change contains no rows. To read the current rows, fetch them.
public struct RemoteChange: Sendable, Hashable {
    /// The names of the entities with rows or join rows that other containers may have changed.
    ///
    /// If a notification may have been lost, the set contains all entities.
    public let entities: Set<String>
}
