extension PersistenceError {
    /// The maximum count of failures in one error about many rows.
    ///
    /// Each failure contains a value, so the limit bounds the memory of the error.
    package static let maximumBatchFailures = 100

    /// Returns the error for a batch whose rows break rules of the model.
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
