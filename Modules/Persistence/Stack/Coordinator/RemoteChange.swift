/// What others have written in a store since it was told last: other containers, in this process or another one.
///
/// The entities, and nothing more: who wants to know what is in the rows now fetches them.
public struct RemoteChange: Sendable, Hashable {
    /// The names of the entities whose rows, or whose pairs of many-to-many relationships, others may have changed: all where something may have been missed.
    public let entities: Set<String>
}
