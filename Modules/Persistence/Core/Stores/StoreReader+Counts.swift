extension StoreReader {
    /// Passes the rows whose relationship has too few or too many objects to `body`, with the reason.
    ///
    /// Rows with too few objects come first. Within each group, rows are ordered by identifier.
    ///
    /// - Parameters:
    ///   - entity: The relationship's entity.
    ///   - rule: The permitted count of objects.
    ///   - body: Receives a row's identifier and the reason in a few words.
    /// - Throws: The error that `body` throws, or ``PersistenceError``.
    package func fetchMiscounted(
        _ entity: EntityDescription, _ rule: CountRule, _ body: (_ id: Int64, _ reason: String) throws -> Void
    ) throws {
        for (broken, condition) in rule.breaches {
            let reason = ValidationFailure(
                entity: entity.name, id: 0, attribute: rule.relationship.name, value: .null, rule: broken
            ).ruleText
            try fetch(StoreRequest(entity.name, where: condition)) { row in
                try body(row.rawID, reason)
                return .next
            }
        }
    }
}
