import StrataCore

/// What an object and an identity map tell their context.
///
/// Called on the context's queue.
protocol ObjectContext: AnyObject {
    /// The context's name, for messages.
    var name: String { get }

    /// An object is about to be written to.
    func willChange(_ object: ManagedObject)

    /// A property of an object was written whose entity has the column of a one-to-one relationship.
    func didChange(_ object: ManagedObject)

    /// Objects of an entity changed: lists of them that were read ahead may be wrong.
    func forgetPrefetched(of entity: String)
}
