import StrataCore

/// The lookup of properties by name.
extension RecordEntity where Record == DynamicRecord {
    /// Returns a handle of the attribute with a name.
    ///
    /// ```swift
    /// let salary = try employees.attribute("salary", as: Int.self)
    /// let nickname = try employees.attribute("nickname", as: String?.self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The attribute's name in the model.
    ///   - type: The Swift type that corresponds to the attribute's type: `String`, `Int16`, `Int32`, `Int` (or
    ///     `Int64`), `Double`, `Decimal`, `Bool`, `Date`, ``Day``, ``TimeOfDay``, `UUID` or `Data`. The type is
    ///     optional if and only if the attribute is optional. Custom types are not allowed, because they may reject a
    ///     stored value. To read values of a custom type, use ``DynamicRecord/value(_:as:)``.
    /// - Returns: The handle, which reads and writes the attribute in records.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the entity has no attribute
    ///   with the name, or if the attribute has another type. The error contains the nearest name or the correct type.
    public func attribute<Value: AttributeValue>(_ name: String, as type: Value.Type) throws -> DynamicAttribute<Value>
    {
        let index = try column(named: name)
        guard description.columns[index].destination == nil else {
            throw PersistenceError(
                .invalidRequest,
                "the property is a to-one relationship, not an attribute; use reference(\"\(name)\", as:)",
                entity: self.name, attribute: name)
        }
        return try handle(index, type)
    }

    /// Returns a handle of the to-one relationship with a name; the relationship must have a column.
    ///
    /// ```swift
    /// let customer = try orders.reference("customer", as: DynamicRecord.ID.self)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The relationship's name in the model.
    ///   - type: `DynamicRecord.ID?`, or `DynamicRecord.ID` if the relationship is mandatory.
    /// - Returns: The handle, which reads and writes the relationship in records.
    /// - Throws: The errors of ``attribute(_:as:)``.
    public func reference<Value: AttributeValue>(_ name: String, as type: Value.Type) throws -> DynamicAttribute<Value>
    {
        let index = try column(named: name)
        guard description.columns[index].destination != nil else {
            throw PersistenceError(
                .invalidRequest, "the property is an attribute, not a relationship; use attribute(\"\(name)\", as:)",
                entity: self.name, attribute: name)
        }
        return try handle(index, type)
    }

    /// Returns the to-many relationship with a name.
    ///
    /// - Parameter name: The relationship's name in the model.
    /// - Returns: The relationship, for methods of units of work and contexts.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the entity has no
    ///   relationship with the name, or if the relationship is not to-many.
    public func toMany(_ name: String) throws -> ToMany<DynamicRecord, DynamicRecord> {
        let relationship = try relationship(name)
        guard relationship.cardinality == .toMany else {
            throw wrongKind(relationship, "refers to one object")
        }
        return ToMany(relationship)
    }

    /// Returns the one-to-one relationship with a name whose column is in the related row.
    ///
    /// - Parameter name: The relationship's name in the model.
    /// - Returns: The relationship, for methods of units of work and contexts.
    /// - Throws: The errors of ``toMany(_:)``.
    public func toOne(_ name: String) throws -> ToOne<DynamicRecord, DynamicRecord> {
        let relationship = try relationship(name)
        guard relationship.cardinality == .toOne, !relationship.ownsForeignKey else {
            throw wrongKind(
                relationship, relationship.cardinality == .toMany ? "refers to any number of objects" : "has a column")
        }
        return ToOne(relationship)
    }

    /// Returns the index of the column of the property with a name.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if no column has the name. The
    ///   error contains the nearest name, or the kind of the property that has the name.
    func column(named name: String) throws -> Int {
        if let index = description.shownColumnIndex(name) { return index }
        if let relationship = description.relationship(named: name) {
            throw wrongKind(relationship, "has no column in the record")
        }
        throw unknown(
            name, "attribute or to-one relationship",
            among: description.shownColumns.map { description.columns[$0].name })
    }

    /// Returns a Swift value converted to the form in which a column stores it; `nil` means null.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` and the kind of the column if
    ///   the value does not fit the column.
    func fitting(_ value: (any AttributeValue)?, column: Int) throws -> StoredValue {
        do { return try fitting(try value?.storedValue() ?? .null, column: column) } catch let error as ValueError {
            throw unfit(error, column)
        }
    }

    /// Returns a stored value converted to the form in which a column stores it.
    ///
    /// - Throws: The errors of the method for Swift values.
    func fitting(_ value: StoredValue, column: Int) throws -> StoredValue {
        if description.forms[column].holds(value) { return value }
        do { return try description.columns[column].fitting(value) } catch { throw unfit(error, column) }
    }

    /// Returns the error for a value that a Swift type cannot represent.
    func misread<Value: AttributeValue>(_ column: Int, as type: Value.Type, _ error: any Error) -> PersistenceError {
        let description = description.columns[column]
        var misread = PersistenceError(
            .invalidRequest,
            "the attribute is \(description.kind), and its value is not a \(type); read the attribute as "
                + "\(description.standardTypeName)",
            entity: name, attribute: description.name)
        misread.underlying = error
        return misread
    }

    /// Returns the error for a value that does not fit a column.
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
                .invalidRequest, "the property is \(column.kind), not a \(type); use \(column.standardTypeName)",
                entity: name, attribute: column.name)
        }
        return DynamicAttribute(self, column: index)
    }

    private func relationship(_ name: String) throws -> RelationshipDescription {
        if let relationship = description.relationship(named: name) { return relationship }
        guard description.columnIndex(name) == nil else {
            throw PersistenceError(
                .invalidRequest, "the property is an attribute, not a relationship; use attribute(\"\(name)\", as:)",
                entity: self.name, attribute: name)
        }
        throw unknown(name, "relationship", among: description.relationships.map(\.name))
    }

    private func wrongKind(_ relationship: RelationshipDescription, _ what: String) -> PersistenceError {
        let call =
            relationship.cardinality == .toMany ? "toMany" : relationship.ownsForeignKey ? "reference" : "toOne"
        return PersistenceError(
            .invalidRequest,
            "the relationship \(what); use \(call)(\"\(relationship.name)\"\(call == "reference" ? ", as:" : ""))",
            entity: name, attribute: relationship.name)
    }

    private func unknown(_ name: String, _ what: String, among names: [String]) -> PersistenceError {
        PersistenceError(
            .invalidRequest, "there is no \(what) “\(name)”\(NearestName.suggestion(for: name, among: names))",
            entity: self.name)
    }
}
