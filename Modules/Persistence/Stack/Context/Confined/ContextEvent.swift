import StrataCore

/// An event of a context, for tests that check afterwards what happened.
public enum ContextEvent: Sendable, Hashable {
    /// A fetch or a count of objects, records, or identifiers of an entity.
    case fetched(entity: String, count: Int)
    /// An object was inserted.
    case inserted(entity: String, id: Int64)
    /// An object was deleted, by a call or by a delete rule.
    case deleted(entity: String, id: Int64)
    /// A save succeeded; its changes are empty if there was nothing to write.
    case saved(SavedChanges)
    /// A save failed; the code is `nil` if the task was canceled, or if a hook threw an error of its own.
    case saveFailed(PersistenceError.Code?)
    /// All changes were discarded.
    case rolledBack
    /// All objects were forgotten.
    case reset
}
