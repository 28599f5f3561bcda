import StrataCore

extension ManagedObjectContext {
    /// Passes every later event of the context to `sink`, on the context's queue.
    ///
    /// The events of the context's repositories are included.
    package nonisolated func record(_ sink: @escaping @Sendable (ContextEvent) -> Void) {
        performAndWait { $0.eventSink = sink }
    }
}
