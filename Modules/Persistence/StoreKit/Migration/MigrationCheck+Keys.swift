import StrataCore

/// The checks of a migration for uniqueness, identifiers and counts of related objects.
extension MigrationCheck {
    // MARK: Uniqueness

    /// Returns the violations of unique keys of the later model: the rows that would have equal values.
    func duplicates(in mapping: EntityMapping, from source: EntityDescription) throws -> [MigrationViolation] {
        let isComputed = self.mapping.computedEntities.contains(mapping.entity.name)
        return try mapping.entity.uniqueKeys.compactMap { key in
            // Duplicates of computed values are detected when the rows are inserted.
            let columns = key.columns.map { mapping.entity.columns[$0] }
            if isComputed, columns.contains(where: { $0.attribute?.isComputed == true }) { return nil }
            if key.columns.count == 1, case .reversed(let other, let reference) = mapping.columns[key.columns[0]] {
                return try shared(key, by: other, reference, in: mapping)
            }
            guard let columns = newKey(key, in: mapping, from: source) else { return nil }
            let isSorted = columns.allSatisfy { isKept($0, in: mapping, from: source) }
            return try isSorted
                ? neighbours(violation(key, mapping.entity), columns.map(\.earlier), from: source)
                : converted(key, columns, in: mapping, from: source)
        }
    }

    /// A column of a unique key, as its index in the earlier model and in the later model.
    private struct KeyColumn {
        let earlier: Int
        let later: Int
    }

    /// Returns the columns of a unique key that the migration must check.
    ///
    /// The result is `nil` if the earlier model already enforced the key, or if the rows cannot have duplicates.
    private func newKey(_ key: UniqueKey, in mapping: EntityMapping, from source: EntityDescription) -> [KeyColumn]? {
        var columns: [KeyColumn] = []
        for column in key.columns {
            switch mapping.columns[column] {
            case .copied(let index): columns.append(KeyColumn(earlier: index, later: column))
            // A new column is null or has one value in all rows, so the other columns decide. If it is the only column,
            // null is exempt.
            case .added:
                switch mapping.entity.columns[column].attribute?.defaultValue {
                case .constant, .now: break
                case .newUUID, nil: return nil
                }
            // Identifiers are unique.
            case .identifier: return nil
            case .reversed, .lookedUp, .keyValue: return nil
            }
        }
        let areKept = columns.allSatisfy { isKept($0, in: mapping, from: source) }
        let earlier = Set(columns.map(\.earlier))
        let isKnown = source.uniqueKeys.contains { Set($0.columns).isSubset(of: earlier) }
        return areKept && isKnown && !earlier.isEmpty ? nil : columns
    }

    /// Returns a Boolean value that indicates whether the migration does not change the values in a column.
    private func isKept(_ column: KeyColumn, in mapping: EntityMapping, from source: EntityDescription) -> Bool {
        let (before, now) = (source.columns[column.earlier], mapping.entity.columns[column.later])
        return before.type == now.type && Self.substitute(before, now) == nil
            && mapping.renamedValues(ofColumn: column.later).isEmpty
    }

    private func violation(_ key: UniqueKey, _ entity: EntityDescription) -> MigrationViolation {
        MigrationViolation(
            entity: entity.name, attribute: key.name(in: entity),
            reason: key.columns.count == 1
                ? "is unique, but rows have equal values" : "are unique together, but rows share their values",
            mayStay: false)
    }

    /// Returns the violation by rows that several rows reference, if the later model reverses a relationship that must
    /// be one-to-one.
    private func shared(
        _ key: UniqueKey, by other: String, _ reference: Int, in mapping: EntityMapping
    ) throws -> MigrationViolation? {
        guard let owner = self.mapping.source[other], !owner.columns[reference].isUnique else { return nil }
        let name = owner.columns[reference].name
        var found = MigrationViolation(
            entity: mapping.entity.name, attribute: key.name(in: mapping.entity),
            reason: "references one object, but several rows referenced this row", mayStay: false)
        var last: (target: Int64, isNoted: Bool)?
        try read(StoreRequest(other, where: .not(.isNull(name)), sort: [StoreRequest.Sort(name)])) { row in
            guard case .integer(let target) = try row.value(at: reference) else { return }
            let isSame = last?.target == target
            if isSame, last?.isNoted == false { found.add(target) }
            last = (target, isSame)
        }
        return found.count > 0 ? found : nil
    }

    /// Returns the violation by rows with equal values, found as neighbors when the rows are read in the order of the
    /// values.
    private func neighbours(
        _ violation: MigrationViolation, _ columns: [Int], from source: EntityDescription
    ) throws -> MigrationViolation? {
        var found = violation
        var last: (id: Int64, values: [StoredValue], isNoted: Bool)?
        let sort = columns.map { StoreRequest.Sort(source.columns[$0].name) }
        let condition = FetchCondition.all(columns.map { !.isNull(source.columns[$0].name) })
        try read(StoreRequest(source.name, where: columns.isEmpty ? nil : condition, sort: sort)) { row in
            let values = try columns.map { try row.value(at: $0) }
            let isSame = last.map { $0.values == values } ?? false
            if isSame {
                if let last, !last.isNoted { found.add(last.id) }
                found.add(row.rawID)
            }
            last = (row.rawID, values, isSame)
        }
        return found.count > 0 ? found : nil
    }

    /// Returns the violation by rows whose values are equal after their conversion.
    ///
    /// The check retains all distinct values in memory.
    private func converted(
        _ key: UniqueKey, _ columns: [KeyColumn], in mapping: EntityMapping, from source: EntityDescription
    ) throws -> MigrationViolation? {
        var found = violation(key, mapping.entity)
        // The first row with the values; `nil` after it was added to the violation.
        var seen: [[StoredValue]: Int64?] = [:]
        let renamed = columns.map { mapping.renamedValues(ofColumn: $0.later) }
        let conversions = columns.map { mapping.conversion(of: $0.later) }
        let substitutes = columns.map { Self.substitute(source.columns[$0.earlier], mapping.entity.columns[$0.later]) }
        try read(StoreRequest(source.name)) { row in
            var values: [StoredValue] = []
            for (index, column) in columns.enumerated() {
                let converted = conversions[index]?.convert(try row.value(at: column.earlier)) ?? .null
                let present = converted.isNull ? substitutes[index] ?? .null : converted
                let value = renamed[index][present] ?? present
                if value.isNull { return }
                values.append(value)
            }
            if let first = seen[values] {
                if let first { found.add(first) }
                found.add(row.rawID)
                seen[values] = .some(nil)
            } else {
                seen[values] = row.rawID
            }
        }
        return found.count > 0 ? found : nil
    }

    // MARK: Identifiers

    /// Returns the violations by rows whose value cannot become their identifier, and by rows with the same value.
    func unfitIdentifiers(in mapping: EntityMapping, from source: EntityDescription) throws -> [MigrationViolation] {
        guard let place = mapping.identifier, let name = mapping.entity.external.idColumn else { return [] }
        var unfit = MigrationViolation(
            entity: mapping.entity.name, attribute: name,
            reason: "becomes the identifier, but is not a whole number from 1 to \(identifierRange.upperBound)",
            mayStay: false)
        try read(StoreRequest(source.name)) { row in
            let number = try row.value(at: place).integerValue
            if number.map(identifierRange.contains) != true { unfit.add(row.rawID) }
        }
        let isUnique = source.uniqueKeys.contains { $0.columns == [place] }
        let shared = MigrationViolation(
            entity: mapping.entity.name, attribute: name, reason: "becomes the identifier, but rows have equal values",
            mayStay: false)
        let duplicates = isUnique ? nil : try neighbours(shared, [place], from: source)
        return (unfit.count > 0 ? [unfit] : []) + [duplicates].compactMap(\.self)
    }

    // MARK: Counts

    /// Returns the violations by rows with fewer or more related objects than the later model permits.
    func miscounted(in mapping: EntityMapping, from source: EntityDescription) throws -> [MigrationViolation] {
        try mapping.entity.relationships.flatMap { relationship -> [MigrationViolation] in
            guard let rule = CountRule(relationship) else { return [] }
            let before = mapping.properties[relationship.name].flatMap(source.relationship)
            let isCarried = before.map { carries($0, to: relationship) } ?? false
            guard let before, isCarried else {
                return try rule.broken(by: 0).map {
                    try count(nil, breaking: $0, of: relationship, in: mapping, from: source)
                } ?? []
            }
            guard before.cardinality == .toMany else {
                let leads = FetchCondition.related(before.name, .constant(true))
                return try [(0, !leads), (1, leads)].flatMap { number, condition in
                    try rule.broken(by: number).map {
                        try count(condition, breaking: $0, of: relationship, in: mapping, from: source)
                    } ?? []
                }
            }
            if let earlier = CountRule(before), earlier.minimum == rule.minimum, earlier.maximum == rule.maximum,
                before.isOptional == relationship.isOptional
            {
                return []
            }
            var former = relationship
            former.name = before.name
            return try (CountRule(former)?.breaches ?? []).flatMap { broken, condition in
                try count(condition, breaking: broken, of: relationship, in: mapping, from: source)
            }
        }
    }

    /// Returns a Boolean value that indicates whether a later relationship references the same objects as an earlier
    /// one.
    private func carries(_ before: RelationshipDescription, to relationship: RelationshipDescription) -> Bool {
        self.mapping.entity(named: relationship.destination)?.source?.name == before.destination
    }

    private func count(
        _ condition: FetchCondition?, breaking rule: ValidationFailure.Rule, of relationship: RelationshipDescription,
        in mapping: EntityMapping, from source: EntityDescription
    ) throws -> [MigrationViolation] {
        try MigrationViolation.counted(
            rule, of: relationship.name, in: mapping.entity.name,
            among: StoreRequest(source.name, where: condition), reader)
    }
}

extension MigrationViolation {
    /// Returns the violation of a count rule by the rows that a request selects; empty if it selects no rows.
    static func counted(
        _ rule: ValidationFailure.Rule, of relationship: String, in entity: String, among request: StoreRequest,
        _ reader: any StoreReader
    ) throws -> [MigrationViolation] {
        let total = try reader.count(request)
        guard total > 0 else { return [] }
        var (ids, first): ([Int64], StoreRequest) = ([], request)
        first.limit = named
        try reader.fetch(first) { row in
            ids.append(row.rawID)
            return .next
        }
        let failure = ValidationFailure(entity: entity, id: 0, attribute: relationship, value: .null, rule: rule)
        return [
            MigrationViolation(
                entity: entity, attribute: relationship, reason: failure.ruleText, count: total, ids: ids, mayStay: true
            )
        ]
    }
}
