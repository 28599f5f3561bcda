import StrataCore

/// The checks of a migration for the rules of the later model.
extension MigrationCheck {
    /// Returns the rules of the later model that stored rows would break, by later entity.
    func violations() throws -> [MigrationViolation] {
        var found: [MigrationViolation] = []
        let computed = mapping.computedEntities
        for mapping in mapping.entities {
            guard let source = mapping.source else { continue }
            // The code of a stage creates values, but no identifiers.
            var broken = try unfitIdentifiers(in: mapping, from: source)
            guard !made.contains(mapping.entity.name) else {
                found += try named(broken, source)
                continue
            }
            let isComputed = computed.contains(mapping.entity.name)
            for column in mapping.entity.columns.indices
            where !isComputed || mapping.entity.columns[column].attribute?.isComputed != true {
                broken += try violations(ofColumn: column, in: mapping, from: source)
            }
            broken += try duplicates(in: mapping, from: source)
            broken += try miscounted(in: mapping, from: source)
            found += try named(broken, source)
        }
        return found
    }

    /// Returns violations with the names of their rows added, if files do not contain the rows' identifiers.
    private func named(
        _ violations: [MigrationViolation], _ source: EntityDescription
    ) throws -> [MigrationViolation] {
        guard !violations.isEmpty, let name = RowName(source, in: mapping.source) else { return violations }
        return try violations.map { violation in
            var violation = violation
            violation.names = try violation.ids.map { try name.text(of: $0, source.name, in: reader) ?? "_row \($0)" }
            return violation
        }
    }

    // MARK: Columns

    private func violations(
        ofColumn index: Int, in mapping: EntityMapping, from source: EntityDescription
    ) throws -> [MigrationViolation] {
        let column = mapping.entity.columns[index]
        switch mapping.columns[index] {
        case .added: return try missing(column, index, in: mapping, from: source)
        case .reversed(let other, let reference):
            return try unreferenced(column, other, reference, in: mapping, from: source)
        case .identifier: return try validatedIdentifiers(index, in: mapping, from: source)
        case .lookedUp(let columns, let target, let key):
            return try dangling(column, columns, target, key, in: mapping, from: source)
        case .keyValue(let place, _, _):
            guard !column.isOptional, source.columns[place].isOptional else { return [] }
            return try whole(
                of: mapping, column.name, ValidationFailure.Rule.mandatory, among: source.name,
                where: .isNull(source.columns[place].name))
        case .copied(let place):
            var found: [MigrationViolation] = []
            let before = source.columns[place]
            if before.isOptional, !column.isOptional, Self.filler(column) == nil {
                found += try whole(
                    of: mapping, column.name, ValidationFailure.Rule.mandatory, among: source.name,
                    where: .isNull(before.name))
            }
            return try found + validated(index, before, in: mapping, from: source)
        }
    }

    /// Returns the violation by existing rows that would have no value, or an invalid value, in a new column.
    private func missing(
        _ column: ColumnDescription, _ index: Int, in mapping: EntityMapping, from source: EntityDescription
    ) throws -> [MigrationViolation] {
        guard let filler = Self.filler(column) else {
            guard !column.isOptional else { return [] }
            let reason =
                column.attribute == nil
                ? "is mandatory and new" : "is mandatory and new, but has no default"
            return try whole(of: mapping, column.name, reason, among: source.name, mayStay: false)
        }
        guard case .constant(var value) = filler else { return [] }
        let rules = RowValidator(mapping.entity).validate(&value, column: index)
        return try rules.flatMap { try whole(of: mapping, column.name, $0, among: source.name, value: value) }
    }

    /// Returns the default value that replaces null if the later model forbids null in a column.
    ///
    /// The result is `nil` if null remains valid, if there is no default, or if each row would get a different value.
    static func substitute(_ before: ColumnDescription, _ now: ColumnDescription) -> StoredValue? {
        guard before.isOptional, !now.isOptional, case .constant(let value)? = filler(now) else { return nil }
        return value
    }

    /// Returns the default value of a column, which replaces null; `nil` if it has none.
    private static func filler(_ column: ColumnDescription) -> DefaultValue? { column.attribute?.defaultValue }

    /// Returns the violation by rows without a mandatory reference, if the earlier model stored the relationship at its
    /// other side.
    private func unreferenced(
        _ column: ColumnDescription, _ other: String, _ reference: Int, in mapping: EntityMapping,
        from source: EntityDescription
    ) throws -> [MigrationViolation] {
        let name = mapping.source?.relationship(named: mapping.properties[column.name] ?? "")?.name
        guard !column.isOptional, let name else { return [] }
        return try whole(
            of: mapping, column.name, ValidationFailure.Rule.mandatory, among: source.name,
            where: .not(.related(name, .constant(true))))
    }

    /// Returns a violation by all rows of an entity that a condition selects; empty if there are none.
    private func whole(
        of mapping: EntityMapping, _ attribute: String, _ reason: String, among source: String,
        where condition: FetchCondition? = nil, mayStay: Bool
    ) throws -> [MigrationViolation] {
        let count = try count(source, where: condition)
        guard count > 0 else { return [] }
        var ids: [Int64] = []
        try reader.fetch(StoreRequest(source, where: condition, limit: MigrationViolation.named)) { row in
            ids.append(row.rawID)
            return .next
        }
        return [
            MigrationViolation(
                entity: mapping.entity.name, attribute: attribute, reason: reason, count: count, ids: ids,
                mayStay: mayStay)
        ]
    }

    private func whole(
        of mapping: EntityMapping, _ attribute: String, _ rule: ValidationFailure.Rule, among source: String,
        where condition: FetchCondition? = nil, value: StoredValue = .null
    ) throws -> [MigrationViolation] {
        let failure = ValidationFailure(
            entity: mapping.entity.name, id: 0, attribute: attribute, value: value, rule: rule)
        return try whole(
            of: mapping, attribute, failure.ruleText, among: source, where: condition, mayStay: Self.mayStay(rule))
    }

    /// Returns a Boolean value that indicates whether rows that break a rule can be retained: the value must fit its
    /// column.
    private static func mayStay(_ rule: ValidationFailure.Rule) -> Bool {
        switch rule {
        case .mandatory, .type: false
        default: true
        }
    }

    // MARK: Keys

    /// Returns the violations by rows whose identifier is not a valid value of the attribute that will store it.
    private func validatedIdentifiers(
        _ index: Int, in mapping: EntityMapping, from source: EntityDescription
    ) throws -> [MigrationViolation] {
        let column = mapping.entity.columns[index]
        guard let conversion = mapping.conversion(of: index),
            column.attribute?.rules.isEmpty == false || !conversion.isTotal
        else { return [] }
        let validator = RowValidator(mapping.entity)
        var found = Found(mapping.entity.name, column.name)
        try read(StoreRequest(source.name)) { row in
            guard var value = conversion.convert(.integer(row.rawID)) else {
                return found.note(
                    .type(column.type), row.rawID, .null, because: "cannot be converted to \(column.type)")
            }
            for rule in validator.validate(&value, column: index) { found.note(rule, row.rawID, value) }
        }
        return found.violations
    }

    /// Returns the violations by rows with a dangling key, and by rows without a key if the later reference is
    /// mandatory.
    private func dangling(
        _ column: ColumnDescription, _ columns: [Int], _ target: String, _ key: [Int], in mapping: EntityMapping,
        from source: EntityDescription
    ) throws -> [MigrationViolation] {
        var keys: Set<[StoredValue]> = []
        try read(StoreRequest(target)) { row in
            keys.insert(key.isEmpty ? [.integer(row.rawID)] : try key.map { try row.value(at: $0) })
        }
        var found = Found(mapping.entity.name, column.name)
        try read(StoreRequest(source.name)) { row in
            let values = try columns.map { try row.value(at: $0) }
            if values.allSatisfy(\.isNull) {
                if !column.isOptional { found.note(.mandatory, row.rawID, .null) }
            } else if !keys.contains(values) {
                let text = values.map { "\($0)" }.joined(separator: ", ")
                found.note(.mandatory, row.rawID, .null, because: "has the key \(text), which no \(target) has")
            }
        }
        return found.violations
    }

    /// The violations of the rules of one attribute, by their reason.
    private struct Found {
        private let entity: String
        private let attribute: String
        private var byReason: [String: MigrationViolation] = [:]
        private var order: [String] = []

        init(_ entity: String, _ attribute: String) { (self.entity, self.attribute) = (entity, attribute) }

        var violations: [MigrationViolation] { order.compactMap { byReason[$0] } }

        mutating func note(
            _ rule: ValidationFailure.Rule, _ id: Int64, _ value: StoredValue, because reason: String? = nil
        ) {
            let text =
                reason
                ?? ValidationFailure(entity: entity, id: id, attribute: attribute, value: value, rule: rule).ruleText
            if byReason[text] == nil {
                order.append(text)
                byReason[text] = MigrationViolation(
                    entity: entity, attribute: attribute, reason: text, mayStay: MigrationCheck.mayStay(rule))
            }
            byReason[text]?.add(id)
        }
    }

    // MARK: Values

    /// Returns the violations by rows whose value cannot be converted, or breaks a rule that the earlier model did not
    /// have.
    private func validated(
        _ index: Int, _ before: ColumnDescription, in mapping: EntityMapping, from source: EntityDescription
    ) throws -> [MigrationViolation] {
        let column = mapping.entity.columns[index]
        guard let attribute = column.attribute, let conversion = mapping.conversion(of: index) else { return [] }
        let isConverted = before.type != column.type
        let isTighter = before.attribute.map(attribute.isTighter) ?? true || (isConverted && !attribute.rules.isEmpty)
        guard isTighter || (isConverted && !conversion.isTotal) else { return [] }
        let suspects = conversion.suspects(before.name)
        if !isTighter, let suspects, try count(source.name, where: suspects) == 0 { return [] }
        let validator = RowValidator(mapping.entity)
        var found = Found(mapping.entity.name, column.name)
        let renamed = mapping.renamedValues(ofColumn: index)
        guard let place = source.columnIndex(before.name) else { return [] }
        let request = StoreRequest(source.name, where: isTighter ? !.isNull(before.name) : suspects)
        try read(request) { row in
            let value = try row.value(at: place)
            if value.isNull { return }
            guard var converted = conversion.convert(value) else {
                return found.note(
                    .type(column.type), row.rawID, value, because: "cannot be converted to \(column.type)")
            }
            converted = renamed[converted] ?? converted
            for rule in validator.validate(&converted, column: index) { found.note(rule, row.rawID, converted) }
        }
        return found.violations
    }
}
