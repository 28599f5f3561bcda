/// How many objects a to-many relationship has to lead to, and may: for contexts and batches alike.
package struct CountRule {
    package let relationship: RelationshipDescription
    /// The fewest objects; as in Core Data, they do not keep an optional relationship from leading nowhere.
    package let minimum: Int
    /// The most objects; `nil` is no limit.
    package let maximum: Int?

    /// - Returns: `nil` for a relationship that may lead to any number.
    package init?(_ relationship: RelationshipDescription) {
        guard relationship.cardinality == .toMany else { return nil }
        self.relationship = relationship
        minimum = relationship.isOptional ? relationship.minimumCount : max(1, relationship.minimumCount)
        maximum = relationship.maximumCount
        guard minimum > 0 || maximum != nil else { return nil }
    }

    /// The rule that a number of objects breaks.
    package func broken(by count: Int) -> ValidationFailure.Rule? {
        if count == 0, relationship.isOptional { return nil }
        if count < minimum { return .minimumCount(minimum) }
        if let maximum, count > maximum { return .maximumCount(maximum) }
        return nil
    }

    /// What is said of an object whose relationship leads to a number of others.
    package func failure(of id: Int64, in entity: String, count: Int) -> ValidationFailure? {
        broken(by: count).map {
            ValidationFailure(
                entity: entity, id: id, attribute: relationship.name, value: .integer(Int64(count)), rule: $0)
        }
    }

    /// What a store is asked, so that it counts and only what breaks the rule is read: one condition for the minimum, one for the maximum.
    ///
    /// - Parameters:
    ///   - added: How many objects each owner has beside those that the store counts.
    ///   - counted: Which objects the store counts.
    /// - Returns: Conditions on the owners' entity; those that break the rule fulfil one of them.
    package func violations(
        adding added: Int = 0, counting counted: FetchCondition = .constant(true)
    ) -> [FetchCondition] {
        let count = FetchOperand.relatedCount(relationship.name, counted)
        func compare(_ comparison: FetchComparison, _ number: Int) -> FetchCondition {
            .compare(count, comparison, .constant(.integer(Int64(number))))
        }
        var tests: [FetchCondition] = []
        if minimum > added {
            let isLess = compare(.less, minimum - added)
            // What leads nowhere is exempt.
            tests.append(relationship.isOptional && added == 0 ? compare(.greater, 0) && isLess : isLess)
        }
        if let maximum { tests.append(compare(.greater, maximum - added)) }
        return tests
    }

    /// What a relationship may break, each with the condition of the rows that do.
    package var breaches: [(rule: ValidationFailure.Rule, condition: FetchCondition)] {
        var rules: [ValidationFailure.Rule] = []
        if minimum > 0 { rules.append(.minimumCount(minimum)) }
        if let maximum { rules.append(.maximumCount(maximum)) }
        return Array(zip(rules, violations()))
    }

    /// The same of owners that are named.
    package func violations(
        among ids: some Sequence<Int64>, adding added: Int = 0, counting counted: FetchCondition = .constant(true)
    ) -> [FetchCondition] {
        let isOwner = FetchCondition.isIn(.property("id"), ids.map(StoredValue.integer))
        return violations(adding: added, counting: counted).map { isOwner && $0 }
    }
}
