import StrataCore

/// The receiver of the notifications that the objects of a context send when they are written to or read again.
///
/// The tracker records the changes and keeps both sides of one-to-one relationships consistent. It has no variable
/// state. It is confined to the context's queue.
final class ChangeTracker: ObjectContext {
    /// The name of the context, for messages.
    let name: String
    private let hooks: HookRunner
    private let pending: PendingChanges
    private let readAhead: ReadAheadData

    init(name: String, hooks: HookRunner, pending: PendingChanges, readAhead: ReadAheadData) {
        self.name = name
        self.hooks = hooks
        self.pending = pending
        self.readAhead = readAhead
    }

    func willChange(_ object: ManagedObject) {
        let meaning = hooks.meaning(ofWriteTo: object)
        if meaning == .awakening { return }
        guard let state = object.state.changed else {
            // A rollback must restore the values that were read.
            if object.state == .deleted { object.typed.keepBase() }
            if meaning != .ownHook { pending.noteDetachedWrite(to: object) }
            return
        }
        hooks.noteChange(of: object)
        object.wasWritten = true
        guard state != object.state else {
            object.ownership.identityMap?.noticed(object)
            return
        }
        readAhead.forgetLists(of: object.entityName)
        object.typed.keepBase()
        object.ownership.identityMap?.move(object, to: state)
    }

    /// Updates one-to-one and ordered relationships after a property of an object was written.
    ///
    /// The object's entity has a column of a one-to-one relationship, or a position in an ordered one. If the context
    /// has the previous owner of a one-to-one counterpart, the owner loses its reference at once. A previous owner that
    /// is only in the store loses its reference at the next read or save of the context.
    func didChange(_ object: ManagedObject) {
        guard let identityMap = object.ownership.identityMap, !object.isDeletedOrDetached else { return }
        readAhead.noteEnds(with: object, identityMap.traits.orderedReferences)
        for column in identityMap.exclusiveColumns {
            let value = object.typed.value(at: column)
            guard case .integer(let target) = value else {
                pending.forgetCounterpart(of: object, column: column)
                continue
            }
            if let other = identityMap.holder(of: target, column), other !== object, !other.isDeletedOrDetached,
                other.typed.value(at: column) == value
            {
                other.releaseCounterpart(at: column)
            }
            identityMap.setHolder(object, of: target, column)
            if object.tookCounterpart(at: column) {
                pending.noteCounterpart(target, of: object, column: column)
            } else {
                pending.forgetCounterpart(of: object, column: column)
            }
        }
    }

    func sawNewerRows(of entity: String) { readAhead.sawNewerRows(of: entity) }
}

extension ManagedObject {
    /// Returns a Boolean value that indicates whether the object received its counterpart after it was last read or
    /// saved.
    func tookCounterpart(at column: Int) -> Bool {
        state == .inserted || state == .updated && typed.committedValue(at: column) != typed.value(at: column)
    }

    /// Removes the object's one-to-one counterpart, because another object received it.
    ///
    /// An object with a mandatory reference keeps it: the save then reports that two objects have the same counterpart.
    func releaseCounterpart(at column: Int) { try? typed.write(.null, column: column) }
}
