import StrataCore

/// The state of an object between two saves.
public enum ObjectState: Sendable, Hashable {
    /// The object is new and not in the store yet.
    case inserted
    /// The object has the values that were read or saved.
    case unchanged
    /// The object was read and then written to.
    case updated
    /// The next save deletes the object.
    case deleted
    /// The object belongs to no context any more, but retains its last values for reading.
    ///
    /// It was deleted and saved, rolled back after an insertion, or removed by a reset.
    case detached

    /// The state after a property was written; `nil` for a detached or deleted object, which no save writes.
    var changed: ObjectState? {
        switch self {
        case .unchanged, .updated: .updated
        case .inserted: .inserted
        case .deleted, .detached: nil
        }
    }

    /// The state after a deletion.
    ///
    /// A new object that was never saved is detached; any other waits for the save. A second deletion has no effect.
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

    /// The state after the pending changes were discarded.
    var rolledBack: ObjectState {
        switch self {
        case .inserted, .detached: .detached
        case .unchanged, .updated, .deleted: .unchanged
        }
    }
}
