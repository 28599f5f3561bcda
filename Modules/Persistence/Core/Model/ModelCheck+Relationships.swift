/// The validation of the relationships of a model.
extension ModelCheck {
    func check(_ relationship: RelationshipDescription, of entity: EntityDescription) throws {
        func refused(_ message: String) -> PersistenceError {
            invalid(message, entity: entity.name, property: relationship.name)
        }
        guard let destination = model[relationship.destination] else {
            throw refused("the destination “\(relationship.destination)” is not in the model")
        }
        // If a link describes the join rows, the check of external keys validates their identifiers.
        let holdsIdentifiers =
            relationship.cardinality == .toOne
            ? relationship.ownsForeignKey && relationship.externalKey == nil
            : model.join(of: relationship.name, in: entity.name).map { $0.join.link == nil } ?? false
        if holdsIdentifiers { try checkIdentifiers(of: destination.name, refused) }
        try checkCounts(relationship, of: entity)
        guard let inverseName = relationship.inverse else {
            guard relationship.cardinality == .toOne else { throw refused("a to-many relationship needs an inverse") }
            guard relationship.ownsForeignKey else {
                throw refused("a to-one relationship without a column needs an inverse that has one")
            }
            return
        }
        guard let inverse = destination.relationship(named: inverseName), inverse.destination == entity.name,
            inverse.inverse == relationship.name
        else {
            throw refused("the inverse \(destination.name).\(inverseName) does not exist or does not refer back")
        }
        let isItsOwnInverse = destination.name == entity.name && inverseName == relationship.name
        switch (relationship.cardinality, inverse.cardinality) {
        case (.toOne, .toOne):
            if isItsOwnInverse { throw refused("only a many-to-many relationship can be its own inverse") }
            guard relationship.ownsForeignKey != inverse.ownsForeignKey else {
                throw refused(
                    "of a one-to-one relationship exactly one side owns the foreign key; declare the other side with "
                        + "ownsForeignKey: false"
                )
            }
        case (.toOne, .toMany):
            guard relationship.ownsForeignKey else {
                throw refused("a to-one relationship without a column needs an inverse that has one")
            }
        case (.toMany, .toMany):
            if isItsOwnInverse, relationship.isOrdered { throw refused("a symmetric relationship cannot be ordered") }
        case (.toMany, .toOne): break
        }
        if relationship.deleteRule == .nullify, inverse.cardinality == .toOne, inverse.ownsForeignKey,
            !inverse.isOptional
        {
            throw refused("a mandatory inverse cannot be nullified: choose cascade or deny")
        }
    }

    private func checkCounts(_ relationship: RelationshipDescription, of entity: EntityDescription) throws {
        func refused(_ message: String) -> PersistenceError {
            invalid(message, entity: entity.name, property: relationship.name)
        }
        let (minimum, maximum) = (relationship.minimumCount, relationship.maximumCount)
        guard relationship.cardinality == .toMany else {
            guard minimum == 0, maximum == nil, !relationship.isOrdered else {
                throw refused("counts and an order can be declared only for to-many relationships")
            }
            return
        }
        guard relationship.ownsForeignKey else {
            throw refused("ownsForeignKey can be set only for to-one relationships")
        }
        if minimum < 0 { throw refused("the minimum count is \(minimum), but must be at least 0") }
        guard let maximum else { return }
        if maximum < 1 { throw refused("the maximum count is \(maximum), but must be at least 1") }
        if minimum > maximum {
            throw refused("the minimum count \(minimum) is greater than the maximum count \(maximum)")
        }
    }

    /// Throws an error if an attribute cannot order a one-to-many relationship.
    ///
    /// An ordered one-to-many relationship stores its sort keys in an attribute of the destination, which must not have
    /// any other use.
    func checkPositions() throws {
        var orderings: [String: Set<String>] = [:]
        for entity in model.entities {
            for relationship in entity.relationships where relationship.isOrdered {
                func refused(_ message: String) -> PersistenceError {
                    invalid(message, entity: entity.name, property: relationship.name)
                }
                let isLinked = model.join(of: relationship.name, in: entity.name) != nil
                guard let name = relationship.orderingAttribute else {
                    if isLinked { continue }
                    throw refused(
                        "an ordered one-to-many relationship must name the destination's attribute of sort keys in "
                            + "orderingAttribute"
                    )
                }
                if isLinked {
                    throw refused(
                        "a many-to-many relationship stores its order in its join rows; remove orderingAttribute")
                }
                let destination = relationship.destination
                guard let attribute = model[destination]?.attributes.first(where: { $0.name == name }),
                    attribute.type == .integer64, !attribute.isUnique, !attribute.isImmutable
                else {
                    throw refused(
                        "\(destination).\(name) must be an integer64 attribute that is neither immutable nor unique")
                }
                guard orderings[destination, default: []].insert(name).inserted else {
                    throw refused("\(destination).\(name) orders another relationship already")
                }
            }
        }
    }

    /// Throws an error if two tables or indexes of the model would have the same name in a store.
    func checkJoinNames() throws {
        // Only a name with an underscore can collide. Skipping this check makes the creation of other models 10 %
        // faster.
        if model.joins.isEmpty, !model.entities.contains(where: { $0.name.utf8.contains(UInt8(ascii: "_")) }) { return }
        var taken = Set(model.entities.map { $0.name.foldingASCIICase() })
        for entity in model.entities {
            for column in entity.columns where column.isIndexed && !column.isUnique {
                let name = "\(entity.name)_\(column.name)"
                guard taken.insert(name.foldingASCIICase()).inserted else {
                    throw invalid(
                        "the name of its index, “\(name)”, is already used by an entity or another index; rename one",
                        entity: entity.name,
                        property: column.name)
                }
            }
        }
        for join in model.joins {
            for name in [join.name, join.targetIndexName].map({ $0.foldingASCIICase() }) {
                let isReserved = name.hasPrefix("sqlite_") || name.hasPrefix("strata_")
                guard !isReserved, taken.insert(name).inserted else {
                    throw invalid(
                        "the name of its table, “\(join.name)”, is already used or reserved; rename the relationship",
                        entity: join.sourceEntity, property: join.sourceRelationship)
                }
            }
        }
    }
}

extension JoinDescription {
    /// The name of the join table's index over its target column.
    package var targetIndexName: String { "\(name)_target" }
}
