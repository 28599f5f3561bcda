import StrataCore
import StrataStoreKit

extension ConfinedContext {
    /// A Boolean value that indicates whether the context reads one state of the store; see ``pinQueryGeneration()``.
    public var isPinned: Bool { reader.source.isPinned }

    /// Pins the context to the current state of the store: until it is unpinned, its reads ignore later commits of
    /// others.
    ///
    /// ```swift
    /// try context.pinQueryGeneration()
    /// defer { context.unpinQueryGeneration() }
    /// let total = try context.count(FetchRequest<Employee>())
    /// let employees = try context.fetch(FetchRequest<Employee>())
    /// ```
    ///
    /// Several fetches, faults and relationships then have the values of one moment. A save, a merge, a refresh and
    /// ``reset()`` move the context to the state after them; a second call of this method does so too. A save detects
    /// changes of others as in any context.
    ///
    /// The method applies to this context and to its children, but not to ``ManagedObjectContext/stream(_:)`` and to
    /// units of work on records, which have their own context. It corresponds to Core Data's
    /// `setQueryGenerationFrom(_:)`.
    ///
    /// While a context is pinned, the log of a SQLite store grows with each commit, and a store on a server occupies a
    /// connection. Unpin the context when the moment is over. The release of the context unpins it, too.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a child context, and if
    ///   eight contexts of the container are pinned; or with another code if the store cannot be read.
    public func pinQueryGeneration() throws {
        guard reader.parent == nil else {
            throw PersistenceError(.invalidRequest, "a child context reads through its parent; pin the parent")
        }
        try reader.source.pin()
    }

    /// Ends the pinning of the context, so that its reads return the current rows.
    ///
    /// Objects keep their values until they are fetched again or refreshed.
    public func unpinQueryGeneration() { reader.source.unpin() }
}
