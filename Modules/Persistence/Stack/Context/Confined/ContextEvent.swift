import StrataCore

/// One thing that a context did, for tests that ask afterwards what happened.
public enum ContextEvent: Sendable, Hashable {
    /// Objects, records or identifiers of an entity were fetched, or counted.
    case fetched(entity: String, count: Int)
    /// An object was inserted.
    case inserted(entity: String, id: Int64)
    /// An object was deleted, by hand or by a delete rule.
    case deleted(entity: String, id: Int64)
    /// A save succeeded; its changes are empty when there was nothing to write.
    case saved(SavedChanges)
    /// A save failed; `nil` when the task was cancelled, or a hook threw an error of its own.
    case saveFailed(PersistenceError.Code?)
    /// All changes were given up.
    case rolledBack
    /// All objects were forgotten.
    case reset
}
