import StrataCore

extension ManagedObjectContext {
    /// Gives everything that the context does from now on, its repositories' work included, to `sink`, on the context's queue.
    package nonisolated func record(_ sink: @escaping @Sendable (ContextEvent) -> Void) {
        performAndWait { $0.eventSink = sink }
    }
}
