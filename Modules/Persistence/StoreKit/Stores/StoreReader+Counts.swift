package import StrataCore

extension StoreReader {
    /// Passes each row whose relationship has too few or too many objects to `body`, with the reason.
    ///
    /// Rows with too few objects are first. Within each group, rows are ordered by identifier.
    ///
    /// - Parameters:
    ///   - entity: The entity of the rows.
    ///   - rule: The count rule of the relationship.
    ///   - body: A closure that receives a row's identifier and the reason in a few words.
    /// - Throws: The error that `body` throws, or ``PersistenceError`` if the store cannot be read.
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
