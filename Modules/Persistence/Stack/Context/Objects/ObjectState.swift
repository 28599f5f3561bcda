import StrataCore

/// What becomes of an object between two saves.
public enum ObjectState: Sendable, Hashable {
    /// New, not yet in the store.
    case inserted
    /// As it was read, or as it was saved.
    case unchanged
    /// Read and then written to.
    case updated
    /// To be deleted by the next save.
    case deleted
    /// No longer of any context: deleted and saved, rolled back after an insert, or forgotten by a reset. Keeps its last values for reading.
    case detached

    /// After a property was written; `nil` when nobody will save it: the object is detached or to be deleted.
    var changed: ObjectState? {
        switch self {
        case .unchanged, .updated: .updated
        case .inserted: .inserted
        case .deleted, .detached: nil
        }
    }

    /// After a deletion: one that no store has seen is forgotten, any other waits for the save.
    ///
    /// Deleting twice is harmless.
    var afterDeletion: ObjectState {
        switch self {
        case .inserted, .detached: .detached
        case .unchanged, .updated, .deleted: .deleted
        }
    }

    /// After a save that succeeded.
    var saved: ObjectState {
        switch self {
        case .inserted, .updated, .unchanged: .unchanged
        case .deleted, .detached: .detached
        }
    }

    /// After the pending changes were given up.
    var rolledBack: ObjectState {
        switch self {
        case .inserted, .detached: .detached
        case .unchanged, .updated, .deleted: .unchanged
        }
    }
}
