public import StrataCore
import StrataStoreKit

extension FixtureEntity {
    /// Returns the entities of a model, with generators of realistic values for their attributes.
    ///
    /// The generators are derived from types, rules, names and relationships. Equal models produce equal entities.
    ///
    /// Pass the result to the initializers of ``FixtureDescription`` that read a file, so that the file can name every
    /// entity of the model. Use ``FixtureDescription/init(model:counts:seed:version:)`` to generate rows with these
    /// defaults.
    ///
    /// Attributes that other attributes follow by name, such as an end date after a start date, are generated from each
    /// other. A relationship of an entity to itself references earlier rows, unless it is one-to-one, or its inverse
    /// has a minimum or a maximum count.
    ///
    /// - Parameter model: The model.
    /// - Returns: One entity for each entity of the model, in the same order.
    /// - Throws: ``FixtureError`` with the code `unsatisfiable`, the entity and the attribute if no valid value was
    ///   found for the attribute.
    /// - Complexity: O(*n*) in the number of attributes, each of which is checked with several hundred values.
    public static func all(of model: ManagedObjectModel) throws(FixtureError) -> [FixtureEntity] {
        var entities: [FixtureEntity] = []
        for entity in model.entities { entities.append(try FixtureEntity(entity, in: model)) }
        return entities
    }

    /// The default row count of an entity whose relationships do not require another count.
    static let usualCount = 100

    /// Creates the fixture entity for an entity of a model.
    ///
    /// Hidden columns are omitted, because they are not properties of the model.
    private init(_ entity: EntityDescription, in model: ManagedObjectModel) throws(FixtureError) {
        let keys = FileKeys(of: entity.name, in: model)
        var fields: [FixtureField] = []
        for column in entity.columns where !column.isHidden {
            if let attribute = column.attribute {
                fields.append(try AttributeDraft(attribute, of: entity, keys: keys).field())
            } else if let relationship = entity.relationship(named: column.name) {
                fields.append(Self.reference(relationship, isUnique: column.isUnique, of: entity, in: model))
            }
        }
        Self.follow(&fields, of: entity)
        let hasNull = FileForm(referenceOf: entity).hasNull
        for place in fields.indices
        where keys.properties.contains(fields[place].name) || (!hasNull && fields[place].origin == nil) {
            fields[place].isAlwaysThere()
        }
        self.init(entity.name, fields, count: Self.usualCount)
        uniquenessConstraints = entity.uniquenessConstraints
        links = model.joins.filter { $0.sourceEntity == entity.name }.compactMap { FixtureLink($0, in: model) }
    }

    // MARK: - Relationships

    /// The default share of null references of an optional relationship.
    private static let without = FixtureShare.percent(10)

    /// Returns the field for a to-one relationship, with the bounds that its inverse requires.
    private static func reference(
        _ relationship: RelationshipDescription, isUnique: Bool, of entity: EntityDescription,
        in model: ManagedObjectModel
    ) -> FixtureField {
        let inverse = relationship.inverse.flatMap { model[relationship.destination]?.relationship(named: $0) }
        let without = relationship.isOptional ? Self.without : .none
        if isUnique {
            let least = inverse?.isOptional == false ? 1 : 0
            return .reference(
                relationship.name, to: relationship.destination, isOptional: relationship.isOptional, without: without,
                perTarget: least...1)
        }
        let bounds = inverse.flatMap(CountRule.init)
        if bounds == nil, relationship.destination == entity.name {
            return FixtureField(
                relationship.name, type: .reference(to: entity.name), generator: .earlier(without: without),
                isOptional: relationship.isOptional)
        }
        let most = FixtureGenerator.targetBounds.upperBound
        return .reference(
            relationship.name, to: relationship.destination, isOptional: relationship.isOptional, without: without,
            perTarget: bounds.map { min($0.minimum, most)...min(max($0.minimum, $0.maximum ?? most), most) })
    }

    // MARK: - Attributes that depend on others

    /// Makes the values of attributes depend on attributes that they must not precede, if names suggest both
    /// generators.
    private static func follow(_ fields: inout [FixtureField], of entity: EntityDescription) {
        let names = fields.map { AttributeName($0.name, of: entity.name).whole }
        func other(_ wanted: [String], than place: Int) -> Int? {
            for name in wanted {
                if let found = fields.indices.first(where: {
                    $0 != place && names[$0] == name && isFollowed(fields[$0], by: fields[place])
                }) {
                    return found
                }
            }
            return nil
        }
        for place in fields.indices
        where fields[place].rules.isEmpty && !fields[place].isUnique && isAlone(fields[place], entity) {
            if let follower = GeneratorHint.Follower.all.first(where: { $0.names.contains(names[place]) }),
                let base = other(follower.followed, than: place)
            {
                let generator = FixtureGenerator.later(than: fields[base].name, days: follower.days)
                if fields[place].type.takes(generator), fields[place].holds(laterThan: fields[base]) {
                    fields[place].generator = generator
                }
            }
            if let (_, costs) = GeneratorHint.dearer.first(where: { $0.names.contains(names[place]) }),
                let base = other(costs, than: place), fields[place].type != .text,
                fields[place].origin?.form.missing.isEmpty ?? true
            {
                let generator = FixtureGenerator.markup(over: fields[base].name, percent: GeneratorHint.markup)
                if fields[place].type.takes(generator) { fields[place].generator = generator }
            }
        }
    }

    /// Returns a Boolean value that indicates whether no uniqueness constraint contains a field.
    private static func isAlone(_ field: FixtureField, _ entity: EntityDescription) -> Bool {
        !entity.uniquenessConstraints.contains { $0.contains(field.name) }
    }

    /// Returns a Boolean value that indicates whether the value of another field can be derived from a field.
    private static func isFollowed(_ field: FixtureField, by other: FixtureField) -> Bool {
        guard field.type == other.type, field.nulls == .none || other.isOptional else { return false }
        switch field.generator {
        case .later, .markup, .oneOf: return false
        default: return true
        }
    }
}

extension FixtureField {
    /// Returns a Boolean value that indicates whether files can represent each value of this field that follows a value
    /// of another field.
    fileprivate func holds(laterThan other: FixtureField) -> Bool {
        guard let room = origin?.form.room else { return true }
        // Days have steps of one day, which files can always represent.
        return type == .day ? room.years == DateFormatPrecision.allYears : room.holdsAll(of: other.origin?.form.room)
    }
}

extension FixtureLink {
    /// Creates the link for a many-to-many relationship, or returns `nil` if the model does not contain the
    /// relationship.
    init?(_ join: JoinDescription, in model: ManagedObjectModel) {
        guard let source = model[join.sourceEntity]?.relationship(named: join.sourceRelationship),
            let target = model[join.targetEntity]?.relationship(named: join.targetRelationship)
        else { return nil }
        let isNeeded =
            Self.isNeeded(source, join.sourceEntity, model) || Self.isNeeded(target, join.targetEntity, model)
        self.init(
            source.name, table: join.name, to: join.targetEntity,
            perSource: Self.counts(source, join.sourceEntity, model),
            perTarget: Self.counts(target, join.targetEntity, model),
            isOptional: source.isOptional && target.isOptional && !isNeeded, isSymmetric: join.isSymmetric,
            isSourceOrdered: join.isSourceOrdered, isTargetOrdered: join.isTargetOrdered)
    }

    /// Returns the allowed numbers of join rows of each row at one end.
    private static func counts(
        _ relationship: RelationshipDescription, _ entity: String, _ model: ManagedObjectModel
    ) -> ClosedRange<Int> {
        let rule = CountRule(relationship)
        let least = max(rule?.minimum ?? 0, isNeeded(relationship, entity, model) ? 1 : 0)
        return least...max(least, rule?.maximum ?? .max)
    }

    /// Returns a Boolean value that indicates whether each row needs at least one join row of a relationship.
    ///
    /// It is true if files contain the references as a list in a column that cannot represent an empty list.
    private static func isNeeded(
        _ relationship: RelationshipDescription, _ entity: String, _ model: ManagedObjectModel
    ) -> Bool {
        guard case .list? = relationship.externalLink, let entity = model[entity] else { return false }
        return !FileForm(referenceOf: entity).hasNull
    }
}
