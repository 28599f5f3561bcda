extension PersistenceError {
    /// The maximum count of failures in a message about many rows.
    ///
    /// The limit bounds the memory, because each failure contains a value.
    package static let maximumBatchFailures = 100

    /// Returns the error for rules of the model that a batch breaks.
    package static func broken(_ failures: [ValidationFailure], _ entity: String) -> PersistenceError {
        var error = PersistenceError(
            .validation,
            failures.count == 1
                ? "a rule of the model is broken:"
                : failures.count < maximumBatchFailures
                    ? "\(failures.count) rules of the model are broken:"
                    : "at least \(failures.count) rules of the model are broken:",
            entity: entity)
        error.failures = failures
        return error
    }
}
