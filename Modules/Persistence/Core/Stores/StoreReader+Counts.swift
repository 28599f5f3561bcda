extension StoreReader {
    /// Gives the rows whose relationship leads to fewer or more objects than it may to `body`, with what is wrong: fewer first, and then by identifier.
    ///
    /// - Parameters:
    ///   - entity: The relationship's entity.
    ///   - rule: What the relationship may lead to.
    ///   - body: Gets a row's identifier, and what is wrong in a few words.
    /// - Throws: What `body` throws, or ``PersistenceError``.
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
