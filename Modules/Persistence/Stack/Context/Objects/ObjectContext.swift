import StrataCore

/// The notifications that an object and an identity map send to their context.
///
/// The methods are called on the context's queue.
protocol ObjectContext: AnyObject {
    /// The context's name, for messages.
    var name: String { get }

    /// Notifies the context that an object is about to be written to.
    func willChange(_ object: ManagedObject)

    /// Notifies the context that a property of an object was written.
    ///
    /// It is called only if the entity has a column of a one-to-one relationship, or a position in an ordered
    /// relationship.
    func didChange(_ object: ManagedObject)

    /// Notifies the context that rows of an entity were read that are newer than its objects.
    ///
    /// Lists of such objects from earlier reads may be wrong.
    func sawNewerRows(of entity: String)
}
