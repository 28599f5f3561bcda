public import StrataCore

extension FixtureDescription {
    /// Creates a description of rows for any model.
    ///
    /// ```swift
    /// let description = try FixtureDescription(model: model, counts: ["Customer": 1_000, "Order": 5_000], seed: 7)
    /// ```
    ///
    /// The schema is ``FixtureEntity/all(of:)``. The counts that the caller does not request are adjusted, so that
    /// bounded relationships and unique values are possible. Requested counts are never changed; if they contradict the
    /// model, an error names the entity and the attribute.
    ///
    /// Generators are checked against the rules of the model with sample values. A generated value can therefore still
    /// violate a rule; writing the rows to a store or a file then reports the row.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - counts: The numbers of rows, by entity name. Entities without a number are not generated. If `counts` is
    ///     empty, all entities are generated, with numbers of rows that their relationships and unique values allow.
    ///   - seed: The seed of the rows.
    ///   - version: The dataset version of the rows.
    /// - Throws: ``FixtureError`` with the code `unsatisfiable` if no rows satisfy the model, and `unknown` for an
    ///   unknown entity or version.
    /// - Complexity: O(*n*) in the number of attributes, and in the number of targets of bounded references.
    public init(
        model: ManagedObjectModel, counts: [String: Int] = [:], seed: UInt64 = standardSeed, version: Int = 1
    ) throws(FixtureError) {
        var description = try FixtureDescription(seed: seed, version: version, schema: try FixtureEntity.all(of: model))
        description = try description.with(counts)
        if !counts.isEmpty { description.entities = description.entities.filter { counts[$0.key] != nil } }
        self = try description.fitted(keeping: Set(counts.keys))
    }

    /// Returns a copy of the description that its row counts can satisfy.
    ///
    /// The method adjusts generators with too few values, references that the counts do not allow, numbers of join
    /// rows, and the row counts that are not in `counts`.
    ///
    /// - Parameter counts: The names of the entities whose row counts must not change. Attributes that the
    ///   description's file describes are not changed either.
    /// - Returns: The adjusted description.
    /// - Throws: ``FixtureError`` if no adjustment makes the description satisfiable.
    package func fitted(keeping counts: Set<String>) throws(FixtureError) -> FixtureDescription {
        var fitting = DescriptionFitting(self, counts: counts, attributes: places.stated)
        return try fitting.run()
    }
}

/// An algorithm that changes a description until it can be satisfied.
///
/// Each step compiles the description. If that fails, the step selects the next generator of the attribute in the
/// error, or lowers a row count to the number of unique values. Counts that the caller requested and attributes that a
/// file describes are not changed.
private struct DescriptionFitting {
    var description: FixtureDescription
    let counts: Set<String>
    let attributes: [String: Set<String>]
    /// The maximum number of rows that unique values allow, by entity name; an unknown maximum is missing.
    private var most: [String: Int] = [:]

    init(_ description: FixtureDescription, counts: Set<String>, attributes: [String: Set<String>]) {
        self.description = description
        self.counts = counts
        self.attributes = attributes
    }

    /// - Returns: The description, with a number of join rows for each relationship.
    /// - Throws: The error of the last step that found nothing to change.
    mutating func run() throws(FixtureError) -> FixtureDescription {
        for _ in 0..<Self.rounds where fitCounts() {}
        fitReferences()
        // Every step selects the next generator of an attribute or lowers the maximum of a count. Therefore the loop
        // ends, well before the maximum number of steps.
        for step in 1... {
            do throws(FixtureError) {
                _ = try Fixtures(description)
                break
            } catch {
                guard step < Self.steps, error.code == .unsatisfiable, try change(for: error) else { throw error }
                for _ in 0..<Self.rounds where fitCounts() {}
                fitReferences()
            }
        }
        return try withPairs()
    }

    /// The maximum number of passes over all relationships, each of which can change a count that others depend on.
    private static let rounds = 50
    /// The maximum number of corrected errors.
    private static let steps = 1_000

    /// Returns a Boolean value that indicates whether the description's file describes an attribute, which must not
    /// change.
    private func stays(_ attribute: String, of entity: String) -> Bool {
        attributes[entity]?.contains(attribute) ?? false
    }

    /// Changes the description to resolve an error.
    ///
    /// - Returns: A Boolean value that indicates whether the description was changed.
    private mutating func change(for error: FixtureError) throws(FixtureError) -> Bool {
        guard let name = error.entity, let entity = description.schema.first(where: { $0.name == name }) else {
            return false
        }
        let together = entity.uniquenessConstraints.first {
            error.attribute == $0.first && error.message.hasPrefix($0.joined(separator: ", "))
        }
        for attribute in together ?? [error.attribute ?? ""] {
            guard let field = entity.field(attribute), !stays(attribute, of: name),
                let own = description.entities[name]?.attributes[attribute]?.generator
            else { continue }
            let all = [field.generator] + field.alternatives
            guard let place = all.firstIndex(of: own), place + 1 < all.count else { continue }
            description.entities[name]?.attributes[attribute]?.generator = all[place + 1]
            return true
        }
        guard let possible = error.possible, possible > 0, !counts.contains(name),
            possible < description.entities[name]?.count ?? 0
        else { return false }
        description.entities[name]?.count = possible
        most[name] = possible
        return true
    }

    // MARK: - Counts

    /// Adjusts the row counts that may change to the bounds of references.
    ///
    /// - Returns: A Boolean value that indicates whether a row count was changed.
    private mutating func fitCounts() -> Bool {
        var changed = false
        for entity in description.schema {
            for field in entity.fields {
                guard case .reference(let target) = field.type, let own = description.entities[entity.name],
                    let others = description.entities[target],
                    case .reference(_, let perTarget?)? = own.attributes[field.name]?.generator
                else { continue }
                let least = others.count.multipliedReportingOverflow(by: perTarget.lowerBound).partialValue
                let most =
                    field.isOptional
                    ? Int.max : others.count.multipliedReportingOverflow(by: perTarget.upperBound).partialValue
                guard own.count < least || own.count > most, target != entity.name else { continue }
                if !counts.contains(entity.name), least <= self.most[entity.name] ?? .max {
                    description.entities[entity.name]?.count = min(max(own.count, least), most)
                    changed = true
                } else if !counts.contains(target) {
                    let fewest =
                        field.isOptional ? 0 : (own.count + perTarget.upperBound - 1) / max(1, perTarget.upperBound)
                    let greatest = perTarget.lowerBound == 0 ? Int.max : own.count / perTarget.lowerBound
                    guard fewest <= greatest else { continue }
                    let fitted = min(max(others.count, fewest), greatest)
                    if fitted != others.count { changed = true }
                    description.entities[target]?.count = fitted
                }
            }
        }
        for entity in description.schema {
            for link in entity.links where !link.isSymmetric && link.target != entity.name {
                if fit(link.target, to: link.perTarget, from: entity.name, link.perSource)
                    || fit(entity.name, to: link.perSource, from: link.target, link.perTarget)
                {
                    changed = true
                }
            }
        }
        return changed
    }

    /// Lowers the row count of one side of a many-to-many relationship if its rows need more join rows than the other
    /// side's rows allow.
    private mutating func fit(
        _ entity: String, to own: ClosedRange<Int>, from other: String, _ others: ClosedRange<Int>
    ) -> Bool {
        guard own.lowerBound > 0, !counts.contains(entity), let count = description.entities[entity]?.count,
            let otherCount = description.entities[other]?.count
        else { return false }
        let (most, overflow) = otherCount.multipliedReportingOverflow(by: others.upperBound)
        guard !overflow, most / own.lowerBound < count else { return false }
        description.entities[entity]?.count = most / own.lowerBound
        return true
    }

    // MARK: - References

    /// Sets the shares of null references so that the number of references to each target is within its bounds.
    private mutating func fitReferences() {
        for entity in description.schema {
            for field in entity.fields where field.isOptional && !stays(field.name, of: entity.name) {
                guard case .reference(let target) = field.type, let own = description.entities[entity.name],
                    own.count > 0,
                    case .reference(_, let perTarget?)? = own.attributes[field.name]?.generator,
                    case .reference(let usual, _) = field.generator
                else { continue }
                let targets = description.entities[target]?.count ?? 0
                let most = min(own.count, targets.multipliedReportingOverflow(by: perTarget.upperBound).partialValue)
                let least = targets.multipliedReportingOverflow(by: perTarget.lowerBound).partialValue
                guard least <= most else { continue }
                let wanted = own.count - usual.count(of: own.count)
                let referring = min(max(wanted, least), most)
                var without = usual
                if referring != wanted { without = FixtureShare(leaving: own.count - referring, of: own.count) }
                description.entities[entity.name]?.attributes[field.name]?.generator = .reference(
                    without: without, perTarget: perTarget)
            }
        }
    }

    // MARK: - Join rows

    /// Returns the description with a number of join rows for each many-to-many relationship.
    private func withPairs() throws(FixtureError) -> FixtureDescription {
        var fitted = description
        for entity in description.schema where description.entities[entity.name] != nil {
            for link in entity.links {
                fitted.entities[entity.name]?.links[link.name] = try LinkPlan(link, of: entity.name, in: description)
                    .count
            }
        }
        return fitted
    }
}

extension FixtureShare {
    /// Creates the share of `rows` in `count` rows, rounded up.
    ///
    /// For up to a million rows, the share results in exactly `rows` rows.
    fileprivate init(leaving rows: Int, of count: Int) {
        let (quotient, rest) = (UInt128(rows) * 1_000_000).quotientAndRemainder(dividingBy: UInt128(max(1, count)))
        self.init(millionths: Int(quotient) + (rest > 0 ? 1 : 0))
    }
}
