/// What a save does about objects that somebody else changed since they were read.
public enum MergePolicy: Sendable, Hashable {
    /// The save throws ``PersistenceError/Code/conflict`` with the base, mine and store values of every such object, and writes nothing.
    case error
    /// Property by property: what was changed here wins, everything else is taken from the store. An object that was deleted there and
    /// changed here is inserted again; one that was changed there and deleted here is deleted.
    case mergeByPropertyObjectTrump
}
