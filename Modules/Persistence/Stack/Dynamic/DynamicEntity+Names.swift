import StrataCore

/// Names, resolved once.
extension RecordEntity where Record == DynamicRecord {
    /// A handle of an attribute.
    ///
    /// ```swift
    /// let salary = try employees.attribute("salary", as: Int.self)
    /// let nickname = try employees.attribute("nickname", as: String?.self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the model.
    ///   - type: The Swift type of its values, an optional one exactly where the attribute is optional: `String`, `Int16`, `Int32`, `Int` (or `Int64`),
    ///     `Double`, `Decimal`, `Bool`, `Date`, ``Day``, ``TimeOfDay``, `UUID` or `Data`, as the attribute's type says. A type of one's own may refuse what
    ///     is stored; ``DynamicRecord/value(_:as:)`` reads by it.
    /// - Returns: The handle.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when there is none of that name, it says the nearest; or when the type
    ///   is another, it says which.
    public func attribute<Value: AttributeValue>(_ name: String, as type: Value.Type) throws -> DynamicAttribute<Value>
    {
        let index = try column(named: name)
        guard description.columns[index].destination == nil else {
            throw PersistenceError(
                .invalidRequest, "it is a to-one relationship and no attribute; ask for reference(\"\(name)\", as:)",
                entity: self.name, attribute: name)
        }
        return try handle(index, type)
    }

    /// A handle of a to-one relationship that has a column.
    ///
    /// ```swift
    /// let customer = try orders.reference("customer", as: DynamicRecord.ID.self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The relationship's name in the model.
    ///   - type: `DynamicRecord.ID?`, or `DynamicRecord.ID` where the relationship always leads somewhere.
    /// - Returns: The handle.
    /// - Throws: As ``attribute(_:as:)``.
    public func reference<Value: AttributeValue>(_ name: String, as type: Value.Type) throws -> DynamicAttribute<Value>
    {
        let index = try column(named: name)
        guard description.columns[index].destination != nil else {
            throw PersistenceError(
                .invalidRequest, "it is an attribute and no relationship; ask for attribute(\"\(name)\", as:)",
                entity: self.name, attribute: name)
        }
        return try handle(index, type)
    }

    /// A to-many relationship.
    ///
    /// - Parameter name: The relationship's name in the model.
    /// - Returns: The relationship, as units of work and contexts take it.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when there is none of that name, or it is of another kind.
    public func toMany(_ name: String) throws -> ToMany<DynamicRecord, DynamicRecord> {
        let relationship = try relationship(name)
        guard relationship.cardinality == .toMany else {
            throw wrongKind(relationship, "leads to one object")
        }
        return ToMany(relationship)
    }

    /// The side of a one-to-one relationship that has no column.
    ///
    /// - Parameter name: The relationship's name in the model.
    /// - Returns: The relationship, as units of work and contexts take it.
    /// - Throws: As ``toMany(_:)``.
    public func toOne(_ name: String) throws -> ToOne<DynamicRecord, DynamicRecord> {
        let relationship = try relationship(name)
        guard relationship.cardinality == .toOne, !relationship.ownsForeignKey else {
            throw wrongKind(
                relationship, relationship.cardinality == .toMany ? "leads to any number of objects" : "has a column")
        }
        return ToOne(relationship)
    }

    /// The place of a column.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that says the nearest name, or what the name is instead.
    func column(named name: String) throws -> Int {
        if let index = description.shownColumnIndex(name) { return index }
        if let relationship = description.relationship(named: name) {
            throw wrongKind(relationship, "has no column in the record")
        }
        throw unknown(
            name, "attribute or to-one relationship",
            among: description.shownColumns.map { description.columns[$0].name })
    }

    /// A value in the form in which a column holds it.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that says what the column is.
    func fitting(_ value: (any AttributeValue)?, column: Int) throws -> StoredValue {
        do { return try fitting(try value?.storedValue() ?? .null, column: column) } catch let error as ValueError {
            throw unfit(error, column)
        }
    }

    /// A stored value in the form in which a column holds it.
    ///
    /// - Throws: As the call with a value.
    func fitting(_ value: StoredValue, column: Int) throws -> StoredValue {
        if description.forms[column].holds(value) { return value }
        do { return try description.columns[column].fitting(value) } catch { throw unfit(error, column) }
    }

    /// That a value is not what a Swift type asks for.
    func misread<Value: AttributeValue>(_ column: Int, as type: Value.Type, _ error: any Error) -> PersistenceError {
        let description = description.columns[column]
        var misread = PersistenceError(
            .invalidRequest,
            "it is \(description.kind), and its value is no \(type); read it as \(description.standardTypeName)",
            entity: name, attribute: description.name)
        misread.underlying = error
        return misread
    }

    /// That a value does not fit a column.
    func unfit(_ error: any Error, _ column: Int) -> PersistenceError {
        let column = description.columns[column]
        var unfit = PersistenceError(
            .invalidRequest, "given \(error); give \(column.standardTypeName)", entity: name, attribute: column.name)
        unfit.underlying = error
        return unfit
    }

    private func handle<Value: AttributeValue>(_ index: Int, _ type: Value.Type) throws -> DynamicAttribute<Value> {
        let column = description.columns[index]
        guard column.isHeld(by: type) else {
            throw PersistenceError(
                .invalidRequest, "it is \(column.kind) and no \(type); ask for it as \(column.standardTypeName)",
                entity: name, attribute: column.name)
        }
        return DynamicAttribute(self, column: index)
    }

    private func relationship(_ name: String) throws -> RelationshipDescription {
        if let relationship = description.relationship(named: name) { return relationship }
        guard description.columnIndex(name) == nil else {
            throw PersistenceError(
                .invalidRequest, "it is an attribute and no relationship; ask for attribute(\"\(name)\", as:)",
                entity: self.name, attribute: name)
        }
        throw unknown(name, "relationship", among: description.relationships.map(\.name))
    }

    private func wrongKind(_ relationship: RelationshipDescription, _ what: String) -> PersistenceError {
        let call =
            relationship.cardinality == .toMany ? "toMany" : relationship.ownsForeignKey ? "reference" : "toOne"
        return PersistenceError(
            .invalidRequest,
            "the relationship \(what); ask for \(call)(\"\(relationship.name)\"\(call == "reference" ? ", as:" : ""))",
            entity: name, attribute: relationship.name)
    }

    private func unknown(_ name: String, _ what: String, among names: [String]) -> PersistenceError {
        PersistenceError(
            .invalidRequest, "there is no \(what) “\(name)”\(NearestName.suggestion(for: name, among: names))",
            entity: self.name)
    }
}
