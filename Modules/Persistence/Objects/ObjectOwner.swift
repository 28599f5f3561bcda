/// What an object knows of where it belongs: one for each context and entity, shared by all its objects.
///
/// An object may outlive its context, in somebody's hands; the home then says so, where a reference to the register would dangle.
@usableFromInline
final class ObjectOwner {
    let entity: EntityDescription
    // SAFETY: the register clears it when it ends, on the context's queue or when nobody has the context any more.
    unowned(unsafe) private(set) var register: IdentityMap?

    init(_ entity: EntityDescription) {
        self.entity = entity
    }

    func open(_ register: IdentityMap) { self.register = register }

    func close() { register = nil }

    var context: ConfinedContext? { register?.context }
}
