import StrataCore

/// The state of an object between two saves.
public enum ObjectState: Sendable, Hashable {
    /// The object is new and not in the store yet.
    case inserted
    /// The object has the values that were last read or saved.
    case unchanged
    /// The object is stored and was written to after the last read or save.
    case updated
    /// The next save deletes the object.
    case deleted
    /// The object belongs to no context any more, but its last values can still be read.
    ///
    /// Its deletion was saved, its insertion was rolled back, or its context was reset.
    case detached

    /// The state after a property is written, or `nil` for a deleted or detached object, which no save writes.
    var changed: ObjectState? {
        switch self {
        case .unchanged, .updated: .updated
        case .inserted: .inserted
        case .deleted, .detached: nil
        }
    }

    /// The state after the object is deleted.
    ///
    /// A new object is detached; a stored object is deleted by the next save. The deletion of a deleted object has no
    /// effect.
    var afterDeletion: ObjectState {
        switch self {
        case .inserted, .detached: .detached
        case .unchanged, .updated, .deleted: .deleted
        }
    }

    /// The state after a successful save.
    var saved: ObjectState {
        switch self {
        case .inserted, .updated, .unchanged: .unchanged
        case .deleted, .detached: .detached
        }
    }

    /// The state after the unsaved changes are discarded.
    var rolledBack: ObjectState {
        switch self {
        case .inserted, .detached: .detached
        case .unchanged, .updated, .deleted: .unchanged
        }
    }
}
