import StrataCore

extension ManagedObjectContext {
    /// Passes every event that the context has from now on to `sink`, on the context's queue.
    ///
    /// The events of the context's repositories are included.
    package nonisolated func record(_ sink: @escaping @Sendable (ContextEvent) -> Void) {
        performAndWait { $0.eventSink = sink }
    }
}
