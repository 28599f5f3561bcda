package import StrataCore

/// The permitted count of objects in a to-many relationship, for contexts and batches.
package struct CountRule {
    package let relationship: RelationshipDescription
    /// The minimum count of objects in the relationship; an optional relationship may still be empty, as in Core Data.
    package let minimum: Int
    /// The maximum count of objects in the relationship; `nil` if there is no limit.
    package let maximum: Int?

    /// Creates the count rule of a relationship.
    ///
    /// - Returns: `nil` if the relationship may have any count of objects.
    package init?(_ relationship: RelationshipDescription) {
        guard relationship.cardinality == .toMany else { return nil }
        self.relationship = relationship
        minimum = relationship.isOptional ? relationship.minimumCount : max(1, relationship.minimumCount)
        maximum = relationship.maximumCount
        guard minimum > 0 || maximum != nil else { return nil }
    }

    /// Returns the rule that a count of objects breaks; `nil` if the count is permitted.
    package func broken(by count: Int) -> ValidationFailure.Rule? {
        if count == 0, relationship.isOptional { return nil }
        if count < minimum { return .minimumCount(minimum) }
        if let maximum, count > maximum { return .maximumCount(maximum) }
        return nil
    }

    /// Returns the failure of an object that has a count of related objects; `nil` if the count is permitted.
    package func failure(of id: Int64, in entity: String, count: Int) -> ValidationFailure? {
        broken(by: count).map {
            ValidationFailure(
                entity: entity, id: id, attribute: relationship.name, value: .integer(Int64(count)), rule: $0)
        }
    }

    /// Returns conditions that select the owners with too few or too many related objects.
    ///
    /// The store counts the objects, so that only owners that break the rule are read. There is one condition for the
    /// minimum and one for the maximum.
    ///
    /// - Parameters:
    ///   - added: The count of objects that each owner has in addition to those that the store counts.
    ///   - counted: The condition that selects the objects to count.
    /// - Returns: Conditions on the owners' entity; an owner that breaks the rule satisfies one of them.
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
            // An empty optional relationship is exempt.
            tests.append(relationship.isOptional && added == 0 ? compare(.greater, 0) && isLess : isLess)
        }
        if let maximum { tests.append(compare(.greater, maximum - added)) }
        return tests
    }

    /// The rules that the relationship can break, each with the condition that selects the owners that break it.
    package var breaches: [(rule: ValidationFailure.Rule, condition: FetchCondition)] {
        var rules: [ValidationFailure.Rule] = []
        if minimum > 0 { rules.append(.minimumCount(minimum)) }
        if let maximum { rules.append(.maximumCount(maximum)) }
        return Array(zip(rules, violations()))
    }

    /// Returns conditions that select, among the owners with some identifiers, those with too few or too many related
    /// objects.
    package func violations(
        among ids: some Sequence<Int64>, adding added: Int = 0, counting counted: FetchCondition = .constant(true)
    ) -> [FetchCondition] {
        let isOwner = FetchCondition.isIn(.property("id"), ids.map(StoredValue.integer))
        return violations(adding: added, counting: counted).map { isOwner && $0 }
    }
}
