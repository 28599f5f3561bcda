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

    /// A property was written.
    ///
    /// False when nobody will save it: the object is detached or to be deleted.
    mutating func change() -> Bool {
        switch self {
        case .unchanged: self = .updated
        case .inserted, .updated: break
        case .deleted, .detached: return false
        }
        return true
    }

    /// The object was deleted: one that no store has seen is forgotten, any other waits for the save.
    ///
    /// Deleting twice is harmless.
    mutating func delete() {
        switch self {
        case .inserted: self = .detached
        case .unchanged, .updated: self = .deleted
        case .deleted, .detached: break
        }
    }

    /// The save succeeded.
    mutating func save() {
        switch self {
        case .inserted, .updated: self = .unchanged
        case .deleted: self = .detached
        case .unchanged, .detached: break
        }
    }

    /// The pending changes were given up.
    mutating func rollBack() {
        switch self {
        case .inserted: self = .detached
        case .updated, .deleted: self = .unchanged
        case .unchanged, .detached: break
        }
    }
}
