/// The entities that other containers have changed since the last notification, in this process or another one.
///
/// A remote change contains only entities. To read the current rows, fetch them.
public struct RemoteChange: Sendable, Hashable {
    /// The names of the entities whose rows, or whose join rows, other writers may have changed.
    ///
    /// If a notification may have been lost, these are all entities.
    public let entities: Set<String>
}
