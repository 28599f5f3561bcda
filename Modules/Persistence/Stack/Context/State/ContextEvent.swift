import StrataCore

/// An event of a context; tests record events to check what the context did.
public enum ContextEvent: Sendable, Hashable {
    /// The context fetched or counted objects, records, or identifiers of an entity.
    case fetched(entity: String, count: Int)
    /// An object was inserted.
    case inserted(entity: String, id: Int64)
    /// An object was deleted, by a call or by a delete rule.
    case deleted(entity: String, id: Int64)
    /// A save succeeded; the associated value is empty if there was nothing to write.
    case saved(SavedChanges)
    /// A save failed; the code is `nil` if the task was canceled, or if a hook threw an error that is no
    /// ``PersistenceError``.
    case saveFailed(PersistenceError.Code?)
    /// All unsaved changes were discarded.
    case rolledBack
    /// All objects were removed from the context.
    case reset
}

/// The subscription to the events of a context.
///
/// A context and the separate contexts of its units of work share one instance, so that the subscriber receives the
/// events of both. Its only state is the subscriber. It is confined to the context's queue.
final class ContextEvents {
    private var sink: (@Sendable (ContextEvent) -> Void)?

    /// Passes every later event to a closure, which replaces the previous one.
    func subscribe(_ sink: @escaping @Sendable (ContextEvent) -> Void) { self.sink = sink }

    /// Passes an event to the subscriber; without a subscriber, the event is not created.
    func send(_ event: @autoclosure () -> ContextEvent) {
        if let sink { sink(event()) }
    }
}
