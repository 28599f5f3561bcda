import StrataCore
import StrataStoreKit

extension DynamicRecord {
    /// Creates a record from assignments to its properties.
    ///
    /// ```swift
    /// let ada = try DynamicRecord(customers, id: id, [.set(name, to: "Ada Lace"), .set("eMail", to: nil)])
    /// ```
    ///
    /// A property without an assignment has the attribute's default, or null if there is no default.
    ///
    /// - Parameters:
    ///   - entity: The entity of the record.
    ///   - id: The identifier of the record.
    ///   - assignments: The assignments, at most one for each property.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a name is unknown or
    ///   assigned twice, or if a value does not fit its column; with code ``PersistenceError/Code/validation`` and all
    ///   failures if mandatory values are missing.
    public init(_ entity: DynamicEntity, id: ID, _ assignments: [DynamicAssignment]) throws {
        var given: [Int: StoredValue] = [:]
        for assignment in assignments {
            let column = try entity.column(named: assignment.name)
            let value: StoredValue
            do { value = try assignment.value() } catch let error as ValueError { throw entity.unfit(error, column) }
            guard given.updateValue(try entity.fitting(value, column: column), forKey: column) == nil else {
                throw PersistenceError(
                    .invalidRequest, "the attribute is given twice", entity: entity.name, attribute: assignment.name)
            }
        }
        try self.init(entity, id: id, given: given)
    }

    /// Creates a record from values by the names of its properties.
    ///
    /// ```swift
    /// let ada = try DynamicRecord(customers, id: id, ["fullName": "Ada Lace", "eMail": nil])
    /// ```
    ///
    /// A property without a value has the attribute's default, or null if there is no default.
    ///
    /// - Parameters:
    ///   - entity: The entity of the record.
    ///   - id: The identifier of the record.
    ///   - values: The values by property name; the value `nil` means null.
    /// - Throws: The errors of the initializer with assignments.
    public init(_ entity: DynamicEntity, id: ID, _ values: KeyValuePairs<String, (any AttributeValue)?>) throws {
        try self.init(entity, id: id, values.map { .set($0.key, to: $0.value) })
    }

    /// Creates a record from stored values.
    ///
    /// - Parameters:
    ///   - entity: The entity of the record.
    ///   - row: The identifier, and a value for each column of the entity, in the order of the columns.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the row has not exactly one
    ///   value for each column, if a value does not fit its column, or if the row's identifier is out of range.
    public init(_ entity: DynamicEntity, _ row: StoredRow) throws {
        let forms = entity.description.forms
        let count = forms.count
        guard row.values.count == count else {
            throw PersistenceError(
                .invalidRequest, "a row has \(count) values, but \(row.values.count) are given", entity: entity.name)
        }
        guard let id = ID(rawValue: row.id) else {
            throw PersistenceError(
                .invalidRequest,
                "\(row.id) is not an identifier (\(identifierRange.lowerBound) to \(identifierRange.upperBound))",
                entity: entity.name, attribute: "id")
        }
        var values = row.values
        for index in forms.indices where !forms[index].holds(values[index]) {
            values[index] = try entity.fitting(values[index], column: index)
        }
        self.init(id: id, of: entity, fitting: values)
    }

    /// Creates a record from values for some columns, by column index, and defaults for the other columns.
    ///
    /// The values must fit their columns.
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
