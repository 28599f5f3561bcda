import StrataCore

/// What an object and an identity map tell their context.
///
/// Called on the context's queue.
protocol ObjectContext: AnyObject {
    /// The context's name, for messages.
    var name: String { get }

    /// An object is about to be written to.
    func willChange(_ object: ManagedObject)

    /// A property of an object was written whose entity has the column of a one-to-one relationship, or a place in an ordered one.
    func didChange(_ object: ManagedObject)

    /// Rows of an entity were read that are newer than its objects: what was read before of lists of them may be wrong.
    func sawNewerRows(of entity: String)
}
