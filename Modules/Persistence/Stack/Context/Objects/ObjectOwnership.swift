import StrataCore

/// What an object knows of where it belongs: one for each context and entity, shared by all its objects.
///
/// An object may outlive its context, in somebody's hands; which then says so, where a reference to the identity map would dangle.
@usableFromInline
final class ObjectOwnership {
    let entity: EntityDescription
    // SAFETY: the identity map clears it when it ends, on the context's queue or when nobody has the context any more.
    unowned(unsafe) private(set) var identityMap: IdentityMap?

    init(_ entity: EntityDescription) {
        self.entity = entity
    }

    func open(_ identityMap: IdentityMap) { self.identityMap = identityMap }

    func close() { identityMap = nil }

    var context: (any ObjectContext)? { identityMap?.context }
}
