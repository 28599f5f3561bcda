import StrataCore

/// The notifications that objects and identity maps send to their context.
///
/// The methods are called on the context's queue.
protocol ObjectContext: AnyObject {
    /// The name of the context, for messages.
    var name: String { get }

    /// Notifies the context that a property of an object is about to be written.
    func willChange(_ object: ManagedObject)

    /// Notifies the context that a property of an object was written.
    ///
    /// The method is called only if the object's entity has a column of a one-to-one relationship, or is the
    /// destination of an ordered relationship.
    func didChange(_ object: ManagedObject)

    /// Notifies the context that a read found rows of an entity that are newer than their objects.
    ///
    /// Prefetched lists of such objects may be outdated.
    func sawNewerRows(of entity: String)
}
