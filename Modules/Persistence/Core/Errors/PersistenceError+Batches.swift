extension PersistenceError {
    /// The failures that a message about many rows carries at most; each is a value.
    package static let maximumBatchFailures = 100

    /// Rules of the model that a batch breaks.
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
