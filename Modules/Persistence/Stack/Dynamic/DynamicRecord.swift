import StrataCore

/// A row of any entity of any model, without a Swift type for the entity.
///
/// Use it for models that are known only at run time, for example a model from a file. A record contains its entity,
/// its identifier, and a value for each column. Resolve names once to a ``DynamicAttribute``; reading and writing with
/// it cannot fail. Reading and writing by name throw an error that contains the problem and the nearest valid name.
///
/// ```swift
/// let customers = try model.dynamicEntity("Customers")
/// let name = try customers.attribute("fullName", as: String.self)
///
/// let ada = try await context.insert(into: customers) { id in
///     try DynamicRecord(customers, id: id, [.set(name, to: "Ada Lace")])
/// }
/// print(ada[name], try ada.value("eMail"))
/// ```
///
/// Everything that takes a ``RecordEntity`` works with these records as with typed records: requests, units of work,
/// contexts, relationships and batches. The initializer already checks that each value has the correct kind and is not
/// null in a mandatory column. The save checks the model's rules, unique values and references, as for all records. For
/// an introduction, see <doc:RecordsWithoutAType>.
public struct DynamicRecord: ManagedRecord {
    /// Always `nil`, because each record contains its entity.
    public static var declaredEntity: RecordEntity<DynamicRecord>? { nil }

    /// The identifier, which is unique only inside the entity.
    public let id: RecordID<DynamicRecord>
    /// The entity.
    public let entity: DynamicEntity
    /// The values in the order of the entity's columns.
    ///
    /// Each value is of the kind of the column's type, or null if the column allows null.
    ///
    /// If the entity stores the file order, the last value is the position of the row. A context sets the position of a
    /// record that it inserts.
    public private(set) var values: [StoredValue]
    /// The errors of values that have no stored form, by column; the save throws them.
    private var unstorable: [Int: ValueError] = [:]

    /// The entity.
    public var recordEntity: RecordEntity<DynamicRecord> { entity }

    /// Creates a record from values that are known to fit.
    init(id: RecordID<DynamicRecord>, of entity: DynamicEntity, fitting values: [StoredValue]) {
        self.id = id
        self.entity = entity
        self.values = values
    }

    /// The values of the properties, without the position of the row.
    private var shownValues: ArraySlice<StoredValue> { values[entity.description.shownColumns] }

    /// Returns a column's value for a store.
    func storable(at column: Int) throws -> StoredValue {
        if let error = unstorable[column] { throw error }
        return values[column]
    }

    /// Sets a column to a value of its kind.
    mutating func write(fitting value: StoredValue, column: Int) {
        values[column] = value
        if !unstorable.isEmpty { unstorable[column] = nil }
    }

    /// Records that a column was set to a value that no store can save; the column's readable value is unchanged.
    mutating func note(_ error: ValueError, column: Int) { unstorable[column] = error }
}

// MARK: - Values

extension DynamicRecord {
    /// Reads and writes a property by its handle.
    ///
    /// - Precondition: The handle has the record's entity, or an entity of the same name and columns.
    public subscript<Value>(attribute: DynamicAttribute<Value>) -> Value {
        get { attribute.value(in: self) }
        set { attribute.write(newValue, to: &self) }
    }

    /// Returns the value of an attribute or a to-one relationship by its name.
    ///
    /// - Parameter name: The name in the model; `id` is the identifier.
    /// - Returns: The stored value.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` and the nearest name if the
    ///   entity has no property with that name.
    public func value(_ name: String) throws -> StoredValue {
        if name == "id" { return .integer(id.rawValue) }
        return values[try entity.column(named: name)]
    }

    /// Returns the value of an attribute or a to-one relationship by its name, as a Swift type or a custom type.
    ///
    /// - Parameters:
    ///   - name: The name in the model.
    ///   - type: The type; an optional type reads null as `nil`.
    /// - Returns: The value.
    /// - Throws: The errors of ``value(_:)``, and ``PersistenceError`` with code
    ///   ``PersistenceError/Code/invalidRequest`` and the kind of the attribute if the value is not of the type.
    public func value<Value: AttributeValue>(_ name: String, as type: Value.Type) throws -> Value {
        let value = try value(name)
        do { return try Value(storedValue: value) } catch {
            guard let column = entity.description.columnIndex(name) else { throw error }
            throw entity.misread(column, as: type, error)
        }
    }

    /// Sets an attribute or a to-one relationship by its name.
    ///
    /// Floating-point and decimal attributes also accept a whole number. Otherwise an attribute accepts only values of
    /// its own type.
    ///
    /// - Parameters:
    ///   - name: The name in the model.
    ///   - value: The value; `nil` is null.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the entity has no property
    ///   with that name, or if the value does not fit. The error contains the kind of the attribute. The record is then
    ///   unchanged.
    public mutating func set(_ name: String, to value: (any AttributeValue)?) throws {
        let column = try entity.column(named: name)
        write(fitting: try entity.fitting(value, column: column), column: column)
    }

    /// Sets an attribute or a to-one relationship to a stored value, by its name.
    ///
    /// - Throws: The errors of ``set(_:to:)``.
    public mutating func setStored(_ name: String, to value: StoredValue) throws {
        let column = try entity.column(named: name)
        write(fitting: try entity.fitting(value, column: column), column: column)
    }
}

extension DynamicRecord: Hashable {
    /// Returns a Boolean value that indicates whether two records are equal.
    ///
    /// Equal records have the same entity name, identifier and stored values. Their positions in the file order may
    /// differ.
    public static func == (left: DynamicRecord, right: DynamicRecord) -> Bool {
        left.id == right.id && left.shownValues == right.shownValues && left.unstorable == right.unstorable
            && (left.entity.isSame(as: right.entity) || left.entity.name == right.entity.name)
    }

    /// Adds the compared values to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(shownValues)
    }
}

extension DynamicRecord: CustomStringConvertible {
    /// The entity, the identifier and every value: `Customers 1 (fullName: “Ada Lace”, eMail: null)`.
    public var description: String {
        let columns = entity.description.shownColumns.map { "\(entity.description.columns[$0].name): \(values[$0])" }
        return "\(entity.name) \(id) (\(columns.joined(separator: ", ")))"
    }
}
