package import StrataCore

extension PersistenceError.Code {
    /// A Boolean value that indicates whether the code concerns a store, its file or its disk, and not single rows.
    package var isOfStore: Bool {
        switch self {
        case .notADatabase, .storeNotFound, .cannotCreate, .permissionDenied, .readOnly, .locked, .diskFull,
            .inputOutput, .corrupt, .closed, .database, .unknownOutcome:
            true
        default: false
        }
    }
}
