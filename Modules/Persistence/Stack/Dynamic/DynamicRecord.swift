import StrataCore

/// A row of any entity of any model, without a Swift type for the entity.
///
/// Use it if a model is known only at run time, for example a model that is read from a file. A record contains its
/// entity, its identifier, and a value for each column. If you look up a property once as a ``DynamicAttribute``,
/// reading and writing it cannot fail. If you read or write a property by name and that fails, the error contains the
/// reason and the nearest valid name.
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
/// All methods that take a ``RecordEntity`` accept entities of these records as those of typed records: requests, units
/// of work, contexts, relationships and batches. The initializer checks that each value has the kind of its column, and
/// that no value of a mandatory column is null. As for all records, the save checks the model's rules, unique values
/// and references. For an introduction, see <doc:RecordsWithoutAType>.
///
/// ## Topics
///
/// ### Creating a record
///
/// Initializers with assignments or with a list of names and values create a record, too.
///
/// - ``init(_:_:)``
/// - ``init(_:json:id:)``
/// - ``init(from:configuration:)``
/// - ``DynamicAssignment``
///
/// ### Identity
///
/// - ``id``
/// - ``entity``
/// - ``recordEntity``
/// - ``declaredEntity``
///
/// ### Reading and writing values
///
/// - ``subscript(_:)``
/// - ``value(_:)``
/// - ``value(_:as:)``
/// - ``set(_:to:)``
/// - ``setStored(_:to:)``
/// - ``values``
///
/// ### Texts
///
/// - ``json()``
/// - ``encode(to:)``
/// - ``description``
///
/// ### Comparison
///
/// - ``==(_:_:)``
/// - ``hash(into:)``
public struct DynamicRecord: ManagedRecord {
    /// Always `nil`, because each record contains its entity.
    public static var declaredEntity: RecordEntity<DynamicRecord>? { nil }

    /// The identifier of the record, which is unique only inside the record's entity.
    public let id: RecordID<DynamicRecord>
    /// The entity of the record.
    public let entity: DynamicEntity
    /// The values in the order of the entity's columns.
    ///
    /// Each value has the kind of its column's type, or is null if the column allows null.
    ///
    /// If the entity stores a file order, the last value is the record's position in it. A context sets the position
    /// when it inserts the record.
    public private(set) var values: [StoredValue]
    /// The errors of values that have no stored form, by column index; the save throws them.
    private var unstorable: [Int: ValueError] = [:]

    /// The entity of the record.
    public var recordEntity: RecordEntity<DynamicRecord> { entity }

    /// Creates a record from values that are known to fit their columns.
    init(id: RecordID<DynamicRecord>, of entity: DynamicEntity, fitting values: [StoredValue]) {
        self.id = id
        self.entity = entity
        self.values = values
    }

    /// The values of the properties, without the position in the file order.
    private var shownValues: ArraySlice<StoredValue> { values[entity.description.shownColumns] }

    /// Returns the value of a column as it is stored.
    func storable(at column: Int) throws -> StoredValue {
        if let error = unstorable[column] { throw error }
        return values[column]
    }

    /// Sets a column to a value that has the kind of the column.
    mutating func write(fitting value: StoredValue, column: Int) {
        values[column] = value
        if !unstorable.isEmpty { unstorable[column] = nil }
    }

    /// Records the error of a value that no store can save; reading the column still returns the old value.
    mutating func note(_ error: ValueError, column: Int) { unstorable[column] = error }
}

// MARK: - Values

extension DynamicRecord {
    /// Accesses a property by its handle.
    ///
    /// - Precondition: The handle is for the record's entity, or for an entity with the same name and columns.
    ///
    /// Writing a value that has no stored form, such as a decimal with more than 18 digits, does not fail here: the
    /// property keeps its old value, and the save throws the error.
    public subscript<Value>(attribute: DynamicAttribute<Value>) -> Value {
        get { attribute.value(in: self) }
        set { attribute.write(newValue, to: &self) }
    }

    /// Returns the value of an attribute or a to-one relationship by its name.
    ///
    /// - Parameter name: The name of the property in the model, or `id` for the identifier.
    /// - Returns: The stored value of the property.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` and the nearest name if the
    ///   entity has no property with that name.
    public func value(_ name: String) throws -> StoredValue {
        if name == "id" { return .integer(id.rawValue) }
        return values[try entity.column(named: name)]
    }

    /// Returns the value of an attribute or a to-one relationship by its name, converted to a Swift type.
    ///
    /// - Parameters:
    ///   - name: The name of the property in the model.
    ///   - type: The Swift type, which may be a custom type; an optional type represents null as `nil`.
    /// - Returns: The converted value.
    /// - Throws: The errors of ``value(_:)``; ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest``
    ///   and the kind of the attribute if the type cannot represent the value.
    public func value<Value: AttributeValue>(_ name: String, as type: Value.Type) throws -> Value {
        let value = try value(name)
        do { return try Value(storedValue: value) } catch {
            guard let column = entity.description.columnIndex(name) else { throw error }
            throw entity.misread(column, as: type, error)
        }
    }

    /// Sets an attribute or a to-one relationship by its name.
    ///
    /// A floating-point or decimal attribute also accepts an integer. Any other attribute accepts only values of its
    /// own type.
    ///
    /// - Parameters:
    ///   - name: The name of the property in the model.
    ///   - value: The value; `nil` means null.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the entity has no property
    ///   with the name, or if the value does not fit the property. The error contains the kind of the attribute. If the
    ///   method throws, the record is unchanged.
    public mutating func set(_ name: String, to value: (any AttributeValue)?) throws {
        let column = try entity.column(named: name)
        write(fitting: try entity.fitting(value, column: column), column: column)
    }

    /// Sets an attribute or a to-one relationship to a stored value, by its name.
    ///
    /// - Parameters:
    ///   - name: The name of the property in the model.
    ///   - value: The stored value, which is converted to the form of the column.
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

    /// Adds the values that determine equality to a hasher.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(shownValues)
    }
}

extension DynamicRecord: CustomStringConvertible {
    /// A text with the entity, the identifier and every value: `Customers 1 (fullName: “Ada Lace”, eMail: null)`.
    public var description: String {
        let columns = entity.description.shownColumns.map { "\(entity.description.columns[$0].name): \(values[$0])" }
        return "\(entity.name) \(id) (\(columns.joined(separator: ", ")))"
    }
}
