import StrataCore
import StrataStoreKit

/// A type that creates objects from the rows of one record type, for a higher layer.
///
/// Its closures are compiled in the module of the record type.
@usableFromInline
protocol RowCollector: Sendable {}

/// The way in which an entity creates records from rows.
enum RecordReading<Record: ManagedRecord>: Sendable {
    /// Closures of a record type, which are compiled in the module of the record type.
    case declared(
        read: @Sendable (RowReader) throws -> Record, append: @Sendable (RowReader, inout [Record]) throws -> Void)
    /// A function with the entity as an argument, for records without a Swift type.
    ///
    /// Such records retain their entity. If the entity stored a closure that captured the entity, neither would ever be
    /// released.
    case byEntity(@Sendable (RowReader, RecordEntity<Record>) throws -> Record)
}

/// The description of an entity, together with the code that accesses its properties in records.
///
/// For each property, this is the code that finds, reads and writes the property in a record.
///
/// A record type declares its entity once, as a static constant. The entity of records without a Swift type comes from
/// ``ManagedObjectModel/dynamicEntity(_:)``. Methods that accept an entity work with both.
///
/// A copy of an entity is cheap, because all copies share their contents, which never change. Any thread may use them.
///
/// ## Topics
///
/// ### Properties of the entity
///
/// - ``name``
/// - ``description``
///
/// ### Properties of records without a Swift type
///
/// - ``attribute(_:as:)``
/// - ``reference(_:as:)``
/// - ``toMany(_:)``
/// - ``toOne(_:)``
///
/// ### Converting rows and records
///
/// - ``record(from:)``
/// - ``row(of:)``
public struct RecordEntity<Record: ManagedRecord>: Sendable {
    /// A class that contains all properties of an entity.
    ///
    /// An entity is copied for every object that is created. A copy of all its properties would cost more than reading
    /// the object.
    private final class Storage: Sendable {
        let description: EntityDescription
        let properties: [RecordProperty<Record>]
        let encoders: [PropertyEncoder]
        let reading: RecordReading<Record>
        let collector: any RowCollector
        let order: ReadingOrder<Record>
        let rules: RecordRules
        /// The model of an entity whose records have no Swift type, which parses text requests; otherwise `nil`.
        let model: ManagedObjectModel?
        /// The first property with an option that is only valid for another kind of property, or `nil` if there is
        /// none.
        let misused: RecordProperty<Record>?
        /// The destination record types of typed relationships, by relationship name.
        let destinations: [String: any PersistentRecord.Type]
        // SAFETY: this and the next property are built from `Sendable` key paths and never changed. The key type of a
        // dictionary cannot express this.
        nonisolated(unsafe) let columns: [AnyKeyPath: String]
        nonisolated(unsafe) let rawPaths: Set<AnyKeyPath>

        init(
            properties: [RecordProperty<Record>],
            rules: RecordRules,
            reading: RecordReading<Record>,
            collector: any RowCollector, order: ReadingOrder<Record>,
            destinations: [String: any PersistentRecord.Type],
            columns: [AnyKeyPath: String], rawPaths: Set<AnyKeyPath>, model: ManagedObjectModel?,
            misused: RecordProperty<Record>?
        ) {
            self.misused = misused
            description = order.entity
            self.properties = properties
            encoders = order.encoders
            self.order = order
            self.rules = rules
            self.reading = reading
            self.collector = collector
            self.destinations = destinations
            self.model = model
            self.columns = columns
            self.rawPaths = rawPaths
        }
    }

    private let storage: Storage

    @usableFromInline
    init(
        id: any KeyPath<Record, Record.ID> & Sendable,
        rawID: (any KeyPath<Record.ID, Int64> & Sendable)?,
        _ properties: [RecordProperty<Record>],
        rules: RecordRules,
        read: @escaping @Sendable (RowReader) throws -> Record,
        append: @escaping @Sendable (RowReader, inout [Record]) throws -> Void,
        collector: any RowCollector,
        order: ReadingOrder<Record>
    ) {
        let position = order.entity.positionColumn.flatMap { order.entity.columns[$0].attribute }.map { attribute in
            RecordProperty<Record>(
                .attribute(attribute), encode: PropertyEncoder(of: Record.self) { _ in .null }, assign: { _, _ in })
        }
        self.init(
            id: id, rawID: rawID, RecordProperty.inOrder(properties) + (position.map { [$0] } ?? []), rules: rules,
            reading: .declared(read: read, append: append),
            collector: collector, order: order, model: nil)
    }

    /// Creates the entity of a record type, or the entity in `model` of records without a Swift type.
    init(
        id: any KeyPath<Record, Record.ID> & Sendable,
        rawID: (any KeyPath<Record.ID, Int64> & Sendable)?,
        _ properties: [RecordProperty<Record>],
        rules: RecordRules,
        reading: RecordReading<Record>,
        collector: any RowCollector,
        order: ReadingOrder<Record>,
        model: ManagedObjectModel?
    ) {
        let destinations = properties.compactMap { property in property.destination.map { (property.name, $0) } }
        let properties = RecordProperty.inOrder(properties)
        let stored = properties.filter { $0.encode != nil }
        // If two properties have the same path, the first one is used.
        let columns = [(id as AnyKeyPath, "id"), (\Record.id, "id")] + stored.flatMap(\.columns)
        storage = Storage(
            properties: stored, rules: rules, reading: reading, collector: collector, order: order,
            destinations: Dictionary(destinations, uniquingKeysWith: { first, _ in first }),
            columns: Dictionary(columns, uniquingKeysWith: { first, _ in first }),
            rawPaths: Set(
                properties.compactMap { $0.rawPath as AnyKeyPath? }
                    + ((rawID ?? Record.ID.rawValuePath).map { [$0] } ?? [])),
            model: model, misused: properties.first { $0.misuse != nil })
    }

    /// The description of the entity that stores use.
    public var description: EntityDescription { storage.description }

    /// The entity's name.
    public var name: String { storage.description.name }

    /// The properties that have a column, in the order of their columns.
    var properties: [RecordProperty<Record>] { storage.properties }

    /// The name of the first property with an invalid option and the reason, or `nil` if there is none.
    var misuse: (property: String, reason: String)? {
        storage.misused.flatMap { property in property.misuse.map { (property.name, $0) } }
    }

    /// The model of an entity whose records have no Swift type; otherwise `nil`.
    var origin: ManagedObjectModel? { storage.model }

    /// Returns a Boolean value that indicates whether two entities are the same instance, not only equal.
    func isSame(as other: RecordEntity) -> Bool { storage === other.storage }

    /// The destination record types of typed relationships, by relationship name.
    var destinations: [String: any PersistentRecord.Type] { storage.destinations }

    /// The function that creates a record from a row.
    var read: @Sendable (RowReader) throws -> Record {
        switch storage.reading {
        case .declared(let read, _): read
        case .byEntity(let read): { row in try read(row, self) }
        }
    }

    /// The function that creates a record from a row and appends the record to an array.
    var append: @Sendable (RowReader, inout [Record]) throws -> Void {
        switch storage.reading {
        case .declared(_, let append): append
        case .byEntity(let read): { row, records in records.append(try read(row, self)) }
        }
    }

    /// The check whether the closure of the record type reads the values in the declared order.
    var order: ReadingOrder<Record> { storage.order }

    /// The declared rules that determine whether a row forms a valid record.
    var rules: RecordRules { storage.rules }

    /// The collector that creates objects from rows, for a higher layer.
    var collector: any RowCollector { storage.collector }

    /// Returns the name of the column, or `id`, for a key path of the record type.
    ///
    /// The result is `nil` if the key path does not belong to a property of the entity.
    func column(at path: AnyKeyPath) -> String? { storage.columns[path] }

    /// Returns a Boolean value that indicates whether a key path starts at a property's value and ends at its stored
    /// raw value.
    func isRawPath(_ path: AnyKeyPath) -> Bool { storage.rawPaths.contains(path) }

    /// Returns the values of a record in the order of the columns.
    ///
    /// If a value cannot be stored, the result contains null instead of the value, and a failure.
    func encode(_ record: Record) -> (values: [StoredValue], failures: [ValidationFailure]) {
        var values: [StoredValue] = []
        var failures: [ValidationFailure] = []
        let encoders = storage.encoders
        values.reserveCapacity(encoders.count)
        withUnsafePointer(to: record) { place in
            for index in 0..<encoders.count {
                do {
                    values.append(try encoders[index](place))
                } catch {
                    values.append(.null)
                    failures.append(
                        ValidationFailure(
                            entity: name, id: record.id.rawValue, attribute: properties[index].name, value: .null,
                            rule: .rejected(by: name, reason: "\(error)")))
                }
            }
        }
        return (values, failures)
    }

    /// Returns the value of a record in one column, or null if the value cannot be stored.
    func value(at column: Int, of record: Record) -> StoredValue {
        // The validation of the whole row finds and names values that cannot be stored.
        withUnsafePointer(to: record) { (try? storage.encoders[column]($0)) ?? .null }
    }

    /// Sets the property of a record that belongs to a column.
    ///
    /// If the property is writable, the properties of the record without a column are unchanged. Otherwise the record
    /// is created again from its columns.
    ///
    /// - Throws: The error of the value's Swift type or of the record's initializer.
    func assign(_ value: StoredValue, column: Int, in record: inout Record) throws {
        if let assign = properties[column].assign {
            try assign(&record, value)
            return
        }
        var (values, failures) = encode(record)
        if let failure = failures.first { throw failure }
        values[column] = value
        record = try self.record(from: StoredRow(id: record.id.rawValue, values: values))
    }

    /// Creates a record from the values of a row.
    ///
    /// - Parameter row: The identifier, and a value for each column in the order of the columns, computed columns
    ///   included.
    /// - Returns: The record.
    /// - Throws: The error of the record's initializer if it rejects the values.
    public func record(from row: StoredRow) throws -> Record {
        do { return try storedRecord(from: row) } catch let error as PersistenceError where error.code == .unreadable {
            throw error.cause
        }
    }

    /// Creates a record from a row of the store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unreadable`` if the row forms no valid record.
    ///   The error names the object. If a value is the reason, the error also names the attribute.
    func storedRecord(from row: StoredRow) throws -> Record { try read(RowReader(ValueRowSource(row))) }

    /// Returns a record as a row for stores and bulk writes.
    ///
    /// Each value is converted to the form in which its column stores it. The rules of the model are not checked.
    ///
    /// - Parameter record: The record, whose computed properties are evaluated.
    /// - Returns: The row, with a value for each column.
    /// - Throws: The first ``ValidationFailure`` if values have no stored form.
    public func row(of record: Record) throws -> StoredRow {
        var (values, failures) = encode(record)
        if let failure = failures.first { throw failure }
        for (index, column) in description.columns.enumerated() {
            guard let value = values[index].converted(to: column.type) else {
                throw ValidationFailure(
                    entity: name, id: record.id.rawValue, attribute: column.name, value: values[index],
                    rule: .type(column.type))
            }
            values[index] = value
        }
        return StoredRow(id: record.id.rawValue, values: values)
    }
}
