import StrataCore

extension ModelMapping {
    /// The reasons why an automatic migration between both models may fail, one sentence each.
    ///
    /// The reasons are changes that no rule covers, dropped data, and requirements that stored rows may not meet. They
    /// are derived from the models alone and are known before a store exists. If the rows of a store meet all
    /// requirements, its migration succeeds.
    public var risks: [String] { obstacles + removals + requirements }

    private var removals: [String] {
        let columns = removedColumns.sorted { $0.key < $1.key }.flatMap { name, columns in
            columns.compactMap { column in source[name].map { "\(name).\($0.columns[column].name)" } }
        }
        let identifiers = entities.compactMap { mapping in
            mapping.removedIdentifier.map { "\(mapping.source?.name ?? mapping.entity.name).\($0)" }
        }
        let deleted = Set(removedEntities.map(\.name))
        let joins = removedJoins.filter { !deleted.contains($0.sourceEntity) && !deleted.contains($0.targetEntity) }
            .map { "\($0.sourceEntity).\($0.sourceRelationship)" }
        let dropped = (removedEntities.map(\.name) + identifiers + columns + joins).map {
            "\($0) is removed: its stored data is dropped"
        }
        return dropped + (dropped.isEmpty ? [] : hints)
    }

    private var requirements: [String] {
        entities.flatMap { mapping -> [String] in
            guard let old = mapping.source else { return [] }
            let entity = mapping.entity.name
            var risks: [String] = []
            for (index, column) in mapping.entity.columns.enumerated() {
                let name = "\(entity).\(column.name)"
                let hasDefault = column.attribute?.defaultValue != nil
                guard let before = mapping.source(of: index) else {
                    if !column.isOptional, !hasDefault, mapping.columns[index] == .added {
                        risks.append(
                            "\(name) is mandatory and new, but has no default: it can be added only to an empty table")
                    }
                    continue
                }
                if before.isOptional, !column.isOptional, !hasDefault {
                    risks.append(
                        "\(name) is mandatory now, but has no default: rows without a value cannot be migrated")
                }
                if let conversion = mapping.conversion(of: index), !conversion.isTotal {
                    risks.append(
                        "\(name) changes from \(before.type) to \(column.type): "
                            + "rows with \(conversion.exceptions) cannot be migrated")
                }
                if let attribute = column.attribute, let earlier = before.attribute, attribute.isTighter(than: earlier)
                {
                    risks.append("\(name) has new rules: rows that break them cannot be migrated")
                }
            }
            return risks
                + steps.filter { $0.entity == entity && $0.kind == .addUniqueness && $0.attribute != nil }.map {
                    "\(entity) (\($0.attribute ?? "")) is unique now: rows that share a value cannot be migrated"
                } + counts(mapping, old)
        }
    }

    private func counts(_ mapping: EntityMapping, _ old: EntityDescription) -> [String] {
        mapping.entity.relationships.compactMap { relationship in
            let before = mapping.properties[relationship.name].flatMap(old.relationship)
            func least(_ relationship: RelationshipDescription) -> Int {
                relationship.isOptional ? relationship.minimumCount : max(1, relationship.minimumCount)
            }
            guard relationship.cardinality == .toMany else { return nil }
            let isMore = least(relationship) > (before.map(least) ?? 0)
            let isLess = relationship.maximumCount.map { $0 < before?.maximumCount ?? .max } ?? false
            guard isMore || (isLess && before != nil) else { return nil }
            return
                "\(mapping.entity.name).\(relationship.name) has other minimum or maximum counts now: rows that refer "
                + "to too few or too many objects cannot be migrated"
        }
    }
}
