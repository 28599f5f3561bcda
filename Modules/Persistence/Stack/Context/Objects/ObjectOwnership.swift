import StrataCore

/// The only reference of an object in addition to its record.
///
/// It is the ownership or, after a change, a snapshot of the old record, which refers to the ownership. One reference
/// serves both purposes, because few objects are changed and a fetch creates many.
@usableFromInline
class ObjectLink {
    /// The ownership to which the link refers; `nil` if the link is the ownership.
    final let ownership: ObjectOwnership?

    init(ownership: ObjectOwnership?) {
        self.ownership = ownership
    }
}

/// The entity and the identity map of an object, shared by all objects of one context and entity.
///
/// Code may retain an object longer than its context. The ownership then reports that the context does not exist; a
/// reference to the identity map would dangle.
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
