import StrataCore

/// What an object refers to beside its record: where it belongs, or, once it is changed, the record as it was, which leads there.
///
/// One reference for both, because few objects are changed, and a fetch makes many.
@usableFromInline
class ObjectLink {
    /// Where it leads; `nil` where it is that itself.
    final let ownership: ObjectOwnership?

    init(ownership: ObjectOwnership?) {
        self.ownership = ownership
    }
}

/// What an object knows of where it belongs: one for each context and entity, shared by all its objects.
///
/// An object may outlive its context, in somebody's hands; which then says so, where a reference to the identity map would dangle.
@usableFromInline
final class ObjectOwnership: ObjectLink {
    let entity: EntityDescription
    // SAFETY: the identity map clears it when it ends, on the context's queue or when nobody has the context any more.
    unowned(unsafe) private(set) var identityMap: IdentityMap?

    init(_ entity: EntityDescription) {
        self.entity = entity
        super.init(ownership: nil)
    }

    func open(_ identityMap: IdentityMap) { self.identityMap = identityMap }

    func close() { identityMap = nil }

    var context: (any ObjectContext)? { identityMap?.context }
}
