/// The validation of the names and keys that datasets use.
extension ModelCheck {
    /// Throws an error if two columns of an entity's dataset have the same name.
    ///
    /// Names may be any text; they are compared byte for byte.
    func checkExternalNames(of entity: EntityDescription) throws {
        // Names of the model are already unique, and none equals the name of the identifiers.
        guard entity.hasOwnColumns else { return }
        let columns = model.usualExternalColumns(of: entity)
        var seen: Set<[UInt8]> = []
        for column in columns where !seen.insert(Array(column.name.utf8)).inserted {
            throw invalid(
                "two columns in files have the name “\(column.name)”", entity: entity.name,
                property: column.property(of: entity)
            )
        }
        let order = entity.external.columns
        guard order.isEmpty || (order.count == columns.count && Set(order.map { Array($0.utf8) }) == seen) else {
            throw invalid("the order of a file's columns must contain each column once", entity: entity.name)
        }
    }

    /// Throws an error if two datasets of the model have the same name.
    func checkDatasetNames() throws {
        var seen: Set<[UInt8]> = []
        for entity in model.entities {
            let name = entity.external.name ?? entity.name
            guard seen.insert(Array(name.utf8)).inserted else {
                throw invalid("two datasets have the name “\(name)”", entity: entity.name)
            }
        }
        for join in model.joins where join.hasDataset && !seen.insert(Array(join.externalName.utf8)).inserted {
            throw invalid(
                "two datasets have the name “\(join.externalName)”", entity: join.sourceEntity,
                property: join.sourceRelationship)
        }
    }

    /// Throws an error if a key by which datasets identify rows is not unique, or has a wrong count of columns.
    func checkExternalKeys(of entity: EntityDescription) throws {
        for relationship in entity.relationships {
            func refused(_ message: String) -> PersistenceError {
                invalid(message, entity: entity.name, property: relationship.name)
            }
            if let link = relationship.externalLink { try check(link, of: relationship, entity, refused) }
            guard let key = relationship.externalKey else { continue }
            guard relationship.cardinality == .toOne, relationship.ownsForeignKey else {
                throw refused(
                    "a reference key can be declared only for a to-one relationship that is stored in a column")
            }
            guard relationship.externalName == nil else {
                throw refused("a relationship with a reference key must name its columns in files only in that key")
            }
            guard !key.properties.isEmpty else { throw refused("a reference key must have at least one property") }
            var trail = ["\(entity.name).\(relationship.name)"]
            try check(key, of: relationship.destination, &trail, refused)
        }
    }

    private func check(
        _ key: ExternalKey, of name: String, _ trail: inout [String], _ refused: (String) -> PersistenceError
    ) throws {
        var count = 1
        if key.properties.isEmpty {
            try checkIdentifiers(of: name, refused)
        } else {
            count = try valueCount(key.properties, of: name, &trail, refused)
        }
        guard key.columns.count == count else {
            throw refused("the reference key has \(count) values, but \(key.columns.count) columns are named")
        }
    }

    func checkIdentifiers(of name: String, _ refused: (String) -> PersistenceError) throws {
        guard let destination = model[name], destination.external.idColumn == nil else { return }
        throw refused("files contain no identifiers of \(name), and no reference key is declared")
    }

    // MARK: Links

    private func check(
        _ link: ExternalLink, of relationship: RelationshipDescription, _ entity: EntityDescription,
        _ refused: (String) -> PersistenceError
    ) throws {
        guard let (join, isSource) = model.join(of: relationship.name, in: entity.name) else {
            throw refused("the form of the join rows in files can be declared only for many-to-many relationships")
        }
        guard isSource == join.isLinkOfSource else {
            throw refused(
                "the form of the join rows in files is declared at both sides of the relationship; declare it at one side"
            )
        }
        var trail: [String] = []
        switch link {
        case .list(let list):
            guard !list.separator.isEmpty else { throw refused("a list requires a separator between two elements") }
            guard !(isSource ? join.isTargetOrdered : join.isSourceOrdered) else {
                throw refused("the inverse is ordered, which a list cannot store; use a table of join rows")
            }
            let key = ExternalKey(list.property.map { [$0] } ?? [], columns: [list.column])
            try check(key, of: relationship.destination, &trail, refused)
        case .table(let table):
            try check(table.owner, of: entity.name, &trail, refused)
            try check(table.destination, of: relationship.destination, &trail, refused)
            let isOrdered = isSource ? join.isSourceOrdered : join.isTargetOrdered
            let isInverseOrdered = isSource ? join.isTargetOrdered : join.isSourceOrdered
            guard isOrdered == (table.position != nil), isInverseOrdered == (table.inversePosition != nil) else {
                throw refused(
                    "an ordered relationship must have a column of positions in files, and other "
                        + "relationships must not have one")
            }
            let names = table.columns.map { Array($0.utf8) }
            guard Set(names).count == names.count else {
                throw refused("the dataset “\(table.name)” has a column twice")
            }
        }
    }

    /// Returns the count of values in a key, including the values of nested keys.
    private func valueCount(
        _ properties: [String], of name: String, _ trail: inout [String], _ refused: (String) -> PersistenceError
    ) throws -> Int {
        // The caller has validated that the destination exists.
        guard let destination = model[name] else { return 0 }
        let list = "(\(properties.joined(separator: ", ")))"
        guard let places = destination.places(of: properties) else {
            let wrong = properties.first { destination.columnIndex($0) == nil } ?? ""
            throw refused(
                "files cannot refer to \(name) by “\(wrong)”, which is not one of its columns")
        }
        guard destination.uniqueKeys.contains(where: { $0.columns.sorted() == places.sorted() }) else {
            throw refused("files cannot refer to \(name) by \(list): no uniqueness is declared for these columns")
        }
        var count = 0
        for property in properties {
            guard let nested = destination.relationship(named: property)?.externalKey,
                let next = destination.relationship(named: property)?.destination
            else {
                count += 1
                continue
            }
            let step = "\(name).\(property)"
            guard !trail.contains(step) else {
                throw refused("files cannot refer to \(name) by \(list): \(step) refers back to itself")
            }
            trail.append(step)
            count += try valueCount(nested.properties, of: next, &trail, refused)
            trail.removeLast()
        }
        return count
    }
}

extension ExternalColumn {
    /// Returns the name of the property to which the dataset column belongs; `nil` for the identifier.
    func property(of entity: EntityDescription) -> String? {
        switch content {
        case .identifier: nil
        case .column(let index), .key(let index, _): entity.columns[index].name
        case .list(let relationship): relationship
        }
    }
}

extension EntityDescription {
    /// A Boolean value that indicates whether the dataset differs from the model in its column names or column order.
    fileprivate var hasOwnColumns: Bool {
        if !external.columns.isEmpty { return true }
        if let id = external.idColumn, id != "id" { return true }
        return properties.contains { property in
            switch property {
            case .attribute(let attribute): attribute.externalName != nil
            case .relationship(let relationship):
                relationship.externalName != nil || relationship.externalKey != nil || relationship.externalLink != nil
            }
        }
    }
}
