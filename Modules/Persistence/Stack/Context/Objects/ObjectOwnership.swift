import StrataCore

/// The only reference that an object contains in addition to its record.
///
/// It is the object's ownership or, if the object was changed, a snapshot of the old record, which references the
/// ownership. One reference serves both purposes, so that the many unchanged objects need no space for a snapshot.
@usableFromInline
class ObjectLink {
    /// The ownership that a snapshot references, or `nil` if this link is the ownership itself.
    final let ownership: ObjectOwnership?

    init(ownership: ObjectOwnership?) {
        self.ownership = ownership
    }
}

/// The entity and the identity map of an object, shared by all objects of one entity in one context.
///
/// An object may exist longer than its context. The ownership then reports that the context was released, whereas a
/// direct reference to the identity map would dangle.
@usableFromInline
final class ObjectOwnership: ObjectLink {
    let entity: EntityDescription
    // SAFETY: the identity map clears this reference in its deinitializer. That runs on the context's queue, or after
    // the last reference to the context was released.
    unowned(unsafe) private(set) var identityMap: IdentityMap?

    init(_ entity: EntityDescription) {
        self.entity = entity
        super.init(ownership: nil)
    }

    func open(_ identityMap: IdentityMap) { self.identityMap = identityMap }

    func close() { identityMap = nil }

    var context: (any ObjectContext)? { identityMap?.context }
}
