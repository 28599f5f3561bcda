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

/// The old record of a changed object.
///
/// It is stored by reference, because few objects are changed and the other objects must not become larger.
final class Snapshot<Record>: ObjectLink {
    let record: Record
    /// The newest stored values, if another save changed properties that this context changed too; otherwise `nil`.
    ///
    /// A rollback restores these values.
    let latest: Latest?

    /// The newest stored record, with the version of its row.
    ///
    /// It is stored by reference, because few objects have it.
    final class Latest {
        let record: Record
        let version: Int64

        init(_ record: Record, version: Int64) {
            self.record = record
            self.version = version
        }
    }

    init(_ record: Record, latest: Latest? = nil, of ownership: ObjectOwnership) {
        self.record = record
        self.latest = latest
        super.init(ownership: ownership)
    }
}
