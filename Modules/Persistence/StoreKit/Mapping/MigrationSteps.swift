import StrataCore

/// A conversion of a ``ModelMapping`` into a list of migration steps.
///
/// The steps are for people and reports. Stores apply the mapping itself, and use the steps only to decide whether
/// tables or rows change (``MigrationStep/isPhysical``).
struct MigrationSteps {
    let source: ManagedObjectModel
    let destination: ManagedObjectModel
    let entities: [EntityMapping]
    let joins: [JoinMapping]
    let removedEntities: [EntityDescription]
    let removedColumns: [String: [Int]]
    let removedJoins: [JoinDescription]

    /// Returns the steps by later entity, in the order of its properties; removed entities are last.
    func steps() -> [MigrationStep] {
        var steps: [MigrationStep] = []
        for mapping in entities {
            let name = mapping.entity.name
            guard let old = mapping.source else {
                steps.append(MigrationStep(.add, name))
                continue
            }
            if old.name != name { steps.append(MigrationStep(.rename, old.name, to: name)) }
            if mapping.identifier != nil, let column = mapping.entity.external.idColumn {
                steps.append(MigrationStep(.makeIdentifier, name, attribute: column))
            }
            steps += attributeSteps(mapping, old) + relationshipSteps(mapping, old)
            steps += removals(of: old, in: mapping)
            steps += keySteps(mapping, old)
            // Without the record type's code, the values stay unchanged.
            let version = mapping.entity.computationVersion
            if version != nil, version != old.computationVersion, destination.form(of: name) != nil {
                steps.append(MigrationStep(.compute, name))
            }
        }
        return steps + removedEntities.map { MigrationStep(.remove, $0.name) }
    }

    // MARK: Attributes

    /// Returns the steps for the attributes that the later entity has: additions, renames, and changes of types, values
    /// and rules.
    private func attributeSteps(_ mapping: EntityMapping, _ old: EntityDescription) -> [MigrationStep] {
        var steps: [MigrationStep] = []
        let entity = mapping.entity.name
        for (index, column) in mapping.entity.columns.enumerated() {
            guard let attribute = column.attribute else { continue }
            if column.isHidden, mapping.columns[index] != .identifier { continue }
            guard let before = mapping.source(of: index), let earlier = before.attribute else {
                let kind: MigrationStep.Kind =
                    switch mapping.columns[index] {
                    case .identifier: column.isHidden ? .add : .changeKey
                    case .keyValue: .makeAttribute
                    case .added, .copied, .reversed, .lookedUp: .add
                    }
                steps.append(MigrationStep(kind, entity, attribute: column.name))
                continue
            }
            if before.name != column.name {
                steps.append(MigrationStep(.rename, entity, attribute: before.name, to: column.name))
            }
            if before.type != column.type {
                // Rows may not fit a narrower type, so they must be checked before they are read with it.
                let keeps = mapping.conversion(of: index).map { $0.keepsStoredForm && $0.isTotal } ?? false
                steps.append(
                    MigrationStep(
                        .changeType, entity, attribute: column.name, to: column.type.description, isPhysical: !keeps))
            }
            for renamed in attribute.renamedValues where !earlier.renamedValues.contains(renamed) {
                steps.append(
                    MigrationStep(.renameValue, entity, attribute: column.name, to: "\(renamed.from) \(renamed.to)"))
            }
            if before.isOptional != column.isOptional {
                steps.append(
                    MigrationStep(column.isOptional ? .makeOptional : .makeMandatory, entity, attribute: column.name))
            }
            if !attribute.isEquivalent(to: earlier) {
                steps.append(MigrationStep(.changeRules, entity, attribute: column.name, isPhysical: false))
            }
        }
        return steps
    }

    /// Returns a `remove` step for each property of an earlier entity that the later entity lacks.
    ///
    /// A relationship is removed if no later property uses its references.
    private func removals(of old: EntityDescription, in mapping: EntityMapping) -> [MigrationStep] {
        let places = mapping.columns.flatMap(\.usedColumns) + [mapping.identifier].compactMap(\.self)
        let used = places.map { old.columns[$0].name }
        let kept = Set(mapping.properties.values).union(used)
        let columns = Set((removedColumns[old.name] ?? []).map { old.columns[$0].name })
        let position = (removedColumns[old.name] ?? []).filter { old.columns[$0].isHidden }.map { index in
            MigrationStep(.remove, mapping.entity.name, attribute: old.columns[index].name)
        }
        let identifier = mapping.removedIdentifier.map { MigrationStep(.remove, mapping.entity.name, attribute: $0) }
        return [identifier].compactMap(\.self) + position
            + old.properties.compactMap { property in
                guard !kept.contains(property.name) || columns.contains(property.name) else { return nil }
                let isPair = source.join(of: property.name, in: old.name).map { pair in
                    removedJoins.contains { $0.name == pair.join.name }
                }
                return MigrationStep(
                    .remove, mapping.entity.name, attribute: property.name,
                    isPhysical: isPair ?? columns.contains(property.name))
            }
    }

    // MARK: Relationships

    /// Returns the steps for the relationships that the later entity has: additions, renames, and changes of storage
    /// and rules.
    private func relationshipSteps(_ mapping: EntityMapping, _ old: EntityDescription) -> [MigrationStep] {
        mapping.entity.relationships.flatMap { relationship -> [MigrationStep] in
            let entity = mapping.entity.name
            guard let name = mapping.properties[relationship.name], let before = old.relationship(named: name) else {
                if let column = mapping.entity.columnIndex(relationship.name),
                    case .lookedUp = mapping.columns[column]
                {
                    return [MigrationStep(.makeReference, entity, attribute: relationship.name)]
                }
                return [
                    MigrationStep(.add, entity, attribute: relationship.name, isPhysical: isKept(relationship, entity))
                ]
            }
            var steps: [MigrationStep] = []
            let isKept = isKept(relationship, entity)
            if name != relationship.name {
                steps.append(MigrationStep(.rename, entity, attribute: name, to: relationship.name, isPhysical: isKept))
            }
            let (place, formerPlace) = (
                Storage(relationship, of: entity, destination), Storage(before, of: old.name, source)
            )
            if place != formerPlace || before.cardinality != relationship.cardinality
                || before.isOrdered != relationship.isOrdered
                || orderingAttribute(before) != relationship.orderingAttribute
            {
                steps.append(
                    MigrationStep(
                        .changeRelationship, entity, attribute: relationship.name, isPhysical: place != formerPlace))
            }
            if before.isOptional != relationship.isOptional, relationship.cardinality == .toOne {
                let kind: MigrationStep.Kind = relationship.isOptional ? .makeOptional : .makeMandatory
                steps.append(
                    MigrationStep(
                        kind, entity, attribute: relationship.name,
                        isPhysical: mapping.entity.columnIndex(relationship.name) != nil))
            }
            if !relationship.isEquivalent(to: before) {
                steps.append(MigrationStep(.changeRules, entity, attribute: relationship.name, isPhysical: false))
            }
            return steps
        }
    }

    /// Returns the later name of the attribute that orders an earlier relationship; `nil` if there is none.
    private func orderingAttribute(_ before: RelationshipDescription) -> String? {
        guard let name = before.orderingAttribute,
            let mapping = entities.first(where: { $0.source?.name == before.destination })
        else { return nil }
        return mapping.properties.first { $0.value == name }?.key ?? name
    }

    /// Returns a Boolean value that indicates whether a relationship is stored as a column, or is the source of a join
    /// table.
    private func isKept(_ relationship: RelationshipDescription, _ entity: String) -> Bool {
        switch Storage(relationship, of: entity, destination) {
        case .column: true
        case .elsewhere: false
        case .join(_, _, let isSource): isSource
        }
    }

    /// The storage of a relationship's references and of their order, for comparisons between models.
    private enum Storage: Hashable {
        case column
        case elsewhere
        case join(isSourceOrdered: Bool, isTargetOrdered: Bool, isSource: Bool)

        init(_ relationship: RelationshipDescription, of entity: String, _ model: ManagedObjectModel) {
            if let (join, isSource) = model.join(of: relationship.name, in: entity) {
                self = .join(
                    isSourceOrdered: join.isSourceOrdered, isTargetOrdered: join.isTargetOrdered, isSource: isSource)
            } else {
                self = relationship.cardinality == .toOne && relationship.ownsForeignKey ? .column : .elsewhere
            }
        }
    }

    // MARK: Unique keys and indexes

    private func keySteps(_ mapping: EntityMapping, _ old: EntityDescription) -> [MigrationStep] {
        let (entity, name) = (mapping.entity, mapping.entity.name)
        /// Returns the later names of earlier columns; `nil` if the later model lacks one of them.
        func renamed(_ columns: [Int]) -> Set<String>? {
            let names = columns.compactMap { column in
                mapping.columns.firstIndex(of: .copied(column)).map { entity.columns[$0].name }
            }
            return names.count == columns.count ? Set(names) : nil
        }
        func names(_ columns: [Int], of entity: EntityDescription) -> String {
            columns.map { entity.columns[$0].name }.joined(separator: PersistenceError.attributeSeparator)
        }
        let before = old.uniqueKeys.map { ($0, renamed($0.columns)) }
        let now = entity.uniqueKeys.map { key in (key, Set(key.columns.map { entity.columns[$0].name })) }
        var steps = now.filter { key in !before.contains { $0.1 == key.1 } }.map {
            MigrationStep(.addUniqueness, name, attribute: names($0.0.columns, of: entity))
        }
        steps += before.filter { key in key.1 != nil && !now.contains { $0.1 == key.1 } }.map { key in
            MigrationStep(
                .removeUniqueness, name,
                attribute: (key.1 ?? []).sorted().joined(separator: PersistenceError.attributeSeparator))
        }
        let indexed = Self.indexes(of: entity).map { columns in (columns, columns.map { entity.columns[$0].name }) }
        let indexedBefore = Self.indexes(of: old).map { columns in
            columns.compactMap { column in
                mapping.columns.firstIndex(of: .copied(column)).map { entity.columns[$0].name }
            }
        }
        steps += indexed.filter { !indexedBefore.contains($0.1) }.map {
            MigrationStep(.addIndex, name, attribute: names($0.0, of: entity), isPhysical: false)
        }
        steps += zip(Self.indexes(of: old), indexedBefore)
            .filter { columns, names in names.count == columns.count && !indexed.contains { $0.1 == names } }
            .map {
                MigrationStep(
                    .removeIndex, name, attribute: $0.1.joined(separator: PersistenceError.attributeSeparator),
                    isPhysical: false)
            }
        return steps
    }

    /// Returns the column indexes of each index that the model declares for an entity.
    private static func indexes(of entity: EntityDescription) -> [[Int]] {
        entity.shownColumns.filter {
            entity.columns[$0].attribute?.isIndexed == true && !entity.columns[$0].isUnique
        }
        .map { [$0] } + entity.indexedKeys
    }

    // MARK: Hints

    /// Returns a hint for each removed entity or property that may have been renamed.
    ///
    /// An entity is similar to a new one if they share at least half of their properties. A property is similar to a
    /// new one of the same type if their names are similar, or if there is only one of each.
    func hints() -> [String] {
        var hints: [String] = []
        let new = entities.filter(\.isNew).map(\.entity)
        for old in removedEntities {
            let names = Set(old.properties.map(\.name))
            guard
                let like = new.first(where: { entity in
                    let same = names.intersection(entity.properties.map(\.name)).count
                    return same > 0 && same * 2 >= max(names.count, entity.properties.count)
                })
            else { continue }
            hints.append(
                "\(old.name) is missing and \(like.name) is new: if it is the same entity, state that \(like.name) is renamed from \(old.name)"
            )
        }
        for mapping in entities {
            guard let old = mapping.source, let removed = removedColumns[old.name] else { continue }
            let added = mapping.entity.columns.indices.filter { mapping.columns[$0] == .added }
            for index in removed {
                let column = old.columns[index]
                let like = added.map { mapping.entity.columns[$0] }.filter {
                    $0.type == column.type && ($0.destination == nil) == (column.destination == nil)
                }
                let alike = removed.count { old.columns[$0].type == column.type }
                guard
                    let name = NearestName.of(column.name, among: like.map(\.name))
                        ?? (like.count == 1 && alike == 1 ? like[0].name : nil)
                else { continue }
                hints.append(
                    "\(mapping.entity.name).\(column.name) is missing and \(name) is new: if it is the same property, "
                        + "state that \(name) is renamed from "
                        + column.name)
            }
        }
        return hints
    }
}

extension RelationshipDescription {
    /// Returns a Boolean value that indicates whether two relationships have equal rules, apart from their storage.
    fileprivate func isEquivalent(to earlier: RelationshipDescription) -> Bool {
        deleteRule == earlier.deleteRule && minimumCount == earlier.minimumCount
            && maximumCount == earlier.maximumCount
            && (cardinality == .toOne || isOptional == earlier.isOptional)
    }
}
