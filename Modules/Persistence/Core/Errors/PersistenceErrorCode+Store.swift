extension PersistenceError.Code {
    /// Whether it is the store, its file or its disk that is in the way, and no row.
    package var isOfStore: Bool {
        switch self {
        case .notADatabase, .storeNotFound, .cannotCreate, .permissionDenied, .readOnly, .locked, .diskFull,
            .inputOutput, .corrupt, .closed, .database, .unknownOutcome:
            true
        default: false
        }
    }
}
