import StrataCore

/// A row of any entity of any model: a record without a Swift type of its own.
///
/// For models that are known only when the program runs, as one from a file. It holds its entity, its identifier, and a value for each column. Names are
/// resolved once, to a ``DynamicAttribute``, by which reading and writing cannot fail; by name both throw what is wrong and the nearest right name.
///
/// ```swift
/// let customers = try model.dynamicEntity("Customers")
/// let name = try customers.attribute("fullName", as: String.self)
///
/// let ada = try await context.insert(into: customers) { id in try DynamicRecord(customers, id: id, [.set(name, to: "Ada Lace")]) }
/// print(ada[name], try ada.value("eMail"))
/// ```
///
/// Everything that takes a ``RecordEntity`` works with these records as with those of a type: requests, units of work, contexts, relationships, batches.
/// What every value has to be, its kind and whether it may be null, holds from the record's making; the model's rules, unique values and
/// references are looked at by the save, as for all records. <doc:RecordsWithoutAType> leads through it.
public struct DynamicRecord: ManagedRecord {
    /// None: each record says which entity it is of.
    public static var declaredEntity: RecordEntity<DynamicRecord>? { nil }

    /// The identifier; of its entity, which the number does not say.
    public let id: RecordID<DynamicRecord>
    /// The entity.
    public let entity: DynamicEntity
    /// The values in the order of the entity's columns.
    ///
    /// The last one of an entity that keeps the order of files is the position of the row. A context gives it to a
    /// record that it inserts.
    ///
    /// Each is null, where the column allows that, or of the kind of the column's type.
    public private(set) var values: [StoredValue]
    /// What was given to a column and has no stored form: the save says so.
    private var unstorable: [Int: ValueError] = [:]

    /// The entity.
    public var recordEntity: RecordEntity<DynamicRecord> { entity }

    /// A record of values that are known to fit.
    init(id: RecordID<DynamicRecord>, of entity: DynamicEntity, fitting values: [StoredValue]) {
        self.id = id
        self.entity = entity
        self.values = values
    }

    /// The values of properties, without the position of the row.
    private var shownValues: ArraySlice<StoredValue> { values[entity.description.shownColumns] }

    /// A column's value, for a store.
    func storable(at column: Int) throws -> StoredValue {
        if let error = unstorable[column] { throw error }
        return values[column]
    }

    /// Gives a column a value of its kind.
    mutating func write(fitting value: StoredValue, column: Int) {
        values[column] = value
        if !unstorable.isEmpty { unstorable[column] = nil }
    }

    /// Notes that a column was given what no store can keep; it reads as before.
    mutating func note(_ error: ValueError, column: Int) { unstorable[column] = error }
}

// MARK: - Values

extension DynamicRecord {
    /// Reads and writes a property by its handle.
    ///
    /// - Precondition: The handle is of the record's entity, or of one of the same name and columns.
    public subscript<Value>(attribute: DynamicAttribute<Value>) -> Value {
        get { attribute.value(in: self) }
        set { attribute.write(newValue, to: &self) }
    }

    /// The value of an attribute or a to-one relationship, by its name.
    ///
    /// - Parameter name: The name in the model; `id` is the identifier.
    /// - Returns: The value as it is stored.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when there is none of that name; it says the nearest.
    public func value(_ name: String) throws -> StoredValue {
        if name == "id" { return .integer(id.rawValue) }
        return values[try entity.column(named: name)]
    }

    /// The value of an attribute or a to-one relationship, by its name, as a Swift type: one's own types too.
    ///
    /// - Parameters:
    ///   - name: The name in the model.
    ///   - type: The type; optional where null is to be read as `nil`.
    /// - Returns: The value.
    /// - Throws: As ``value(_:)``; and ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the value is none of the type; it says what
    ///   the attribute is.
    public func value<Value: AttributeValue>(_ name: String, as type: Value.Type) throws -> Value {
        let value = try value(name)
        do { return try Value(storedValue: value) } catch {
            guard let column = entity.description.columnIndex(name) else { throw error }
            throw entity.misread(column, as: type, error)
        }
    }

    /// Gives an attribute or a to-one relationship another value, by its name.
    ///
    /// A whole number is taken for a floating-point or decimal attribute too, and every other value for an attribute of its own type only.
    ///
    /// - Parameters:
    ///   - name: The name in the model.
    ///   - value: The value; `nil` is null.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when there is none of that name, or the value does not fit; it says what
    ///   the attribute is. The record is then as before.
    public mutating func set(_ name: String, to value: (any AttributeValue)?) throws {
        let column = try entity.column(named: name)
        write(fitting: try entity.fitting(value, column: column), column: column)
    }

    /// Gives an attribute or a to-one relationship another stored value, by its name.
    ///
    /// - Throws: As ``set(_:to:)``.
    public mutating func setStored(_ name: String, to value: StoredValue) throws {
        let column = try entity.column(named: name)
        write(fitting: try entity.fitting(value, column: column), column: column)
    }
}

extension DynamicRecord: Hashable {
    /// Whether both are of entities of one name and have the same identifier and the same stored values, wherever they
    /// stand in the order of files.
    public static func == (left: DynamicRecord, right: DynamicRecord) -> Bool {
        left.id == right.id && left.shownValues == right.shownValues && left.unstorable == right.unstorable
            && (left.entity.isSame(as: right.entity) || left.entity.name == right.entity.name)
    }

    /// Feeds what is compared to a hasher.
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
