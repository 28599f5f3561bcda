package import StrataCore

extension PersistenceError {
    /// Returns the failure of a row whose record initializer threw an error.
    ///
    /// - Throws: `error` itself if it does not concern a row: a cancellation, or a store that cannot be read.
    package static func failure(_ error: any Error, id: Int64, of entity: String) throws -> ValidationFailure {
        if error is CancellationError { throw error }
        if let failure = error as? ValidationFailure { return failure }
        let found = error as? PersistenceError
        if let found, found.code != .unreadable { throw found }
        return ValidationFailure(
            entity: entity, id: id, attribute: found?.attribute ?? "", value: .null,
            rule: .rejected(by: entity, reason: "\(error.cause)"))
    }

    /// Returns the error for rows that a record type's initializer rejects.
    ///
    /// - Parameters:
    ///   - failures: The failures, one for each rejected row; at least one.
    ///   - entity: The entity of the rows.
    ///   - underlying: The error that the initializer threw for the first row.
    /// - Returns: An error with code ``Code/validation``; if there is only one failure, the error names the row.
    package static func refused(
        _ failures: [ValidationFailure], by entity: String, _ underlying: (any Error)?
    ) -> PersistenceError {
        let isFull = failures.count >= maximumBatchFailures
        var error = PersistenceError(
            .validation,
            failures.count == 1
                ? "the record's initializer rejects the values:"
                : "the record's initializer rejects the values of \(isFull ? "at least " : "")\(failures.count) "
                    + "objects:",
            entity: entity)
        (error.failures, error.underlying) = (failures, underlying)
        if failures.count == 1 { error.id = failures.first.map { $0.id == 0 ? nil : $0.id } ?? nil }
        return error
    }
}
