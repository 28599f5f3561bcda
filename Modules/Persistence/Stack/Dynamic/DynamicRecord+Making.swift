import StrataCore

extension DynamicRecord {
    /// Makes a record of values that are given one by one.
    ///
    /// ```swift
    /// let ada = try DynamicRecord(customers, id: id, [.set(name, to: "Ada Lace"), .set("eMail", to: nil)])
    /// ```
    ///
    /// What is not given is the attribute's default, or null.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - id: The identifier.
    ///   - assignments: The values, each property once.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a name that is none, one given twice and a value that does not
    ///   fit; with code ``PersistenceError/Code/validation`` and all of them when values are missing that have to be there.
    public init(_ entity: DynamicEntity, id: ID, _ assignments: [DynamicAssignment]) throws {
        var given: [Int: StoredValue] = [:]
        for assignment in assignments {
            let column = try entity.column(named: assignment.name)
            let value: StoredValue
            do { value = try assignment.value() } catch let error as ValueError { throw entity.unfit(error, column) }
            guard given.updateValue(try entity.fitting(value, column: column), forKey: column) == nil else {
                throw PersistenceError(
                    .invalidRequest, "it is given twice", entity: entity.name, attribute: assignment.name)
            }
        }
        try self.init(entity, id: id, given: given)
    }

    /// Makes a record of values by name.
    ///
    /// ```swift
    /// let ada = try DynamicRecord(customers, id: id, ["fullName": "Ada Lace", "eMail": nil])
    /// ```
    ///
    /// What is not given is the attribute's default, or null.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - id: The identifier.
    ///   - values: The values; `nil` is null.
    /// - Throws: As the call with assignments.
    public init(_ entity: DynamicEntity, id: ID, _ values: KeyValuePairs<String, (any AttributeValue)?>) throws {
        try self.init(entity, id: id, values.map { .set($0.key, to: $0.value) })
    }

    /// Makes a record of stored values.
    ///
    /// - Parameters:
    ///   - entity: The entity.
    ///   - row: The identifier, and a value for each column of the entity in their order.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the values are not as many as the columns, one does not fit, or the
    ///   number is no identifier.
    public init(_ entity: DynamicEntity, _ row: StoredRow) throws {
        let forms = entity.description.forms
        let count = forms.count
        guard row.values.count == count else {
            throw PersistenceError(
                .invalidRequest, "a row has \(count) values, and \(row.values.count) are given", entity: entity.name)
        }
        guard let id = ID(rawValue: row.id) else {
            throw PersistenceError(
                .invalidRequest,
                "\(row.id) is no identifier (\(identifierRange.lowerBound) to \(identifierRange.upperBound))",
                entity: entity.name, attribute: "id")
        }
        var values = row.values
        for index in forms.indices where !forms[index].holds(values[index]) {
            values[index] = try entity.fitting(values[index], column: index)
        }
        self.init(id: id, of: entity, fitting: values)
    }

    /// Makes a record of the values of some columns, which fit, and what takes the place of the others.
    init(_ entity: DynamicEntity, id: ID, given: [Int: StoredValue]) throws {
        let columns = entity.description.columns
        let defaults = RowDefaults(entity.description)
        var missing: [ValidationFailure] = []
        let values = columns.indices.map { index in
            let value = given[index] ?? defaults.value(index)
            if value.isNull, !columns[index].isOptional {
                missing.append(
                    ValidationFailure(
                        entity: entity.name, id: id.rawValue, attribute: columns[index].name, value: .null,
                        rule: .mandatory))
            }
            return value
        }
        guard missing.isEmpty else { throw PersistenceError.broken(missing, entity.name) }
        self.init(id: id, of: entity, fitting: values)
    }
}
