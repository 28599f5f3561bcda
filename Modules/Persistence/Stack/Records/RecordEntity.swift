import StrataCore

/// The part of the object layer that creates objects from rows of one record type.
///
/// It is compiled with the record type's code.
@usableFromInline
protocol RowCollector: Sendable {}

/// The ways to create records from rows.
enum RecordReading<Record: ManagedRecord>: Sendable {
    /// The closures of a record type, compiled with its own code.
    case declared(
        read: @Sendable (RowReader) throws -> Record, append: @Sendable (RowReader, inout [Record]) throws -> Void)
    /// A function that takes the entity, for records without a type.
    ///
    /// Records without a type retain their entity. A closure that the entity stored and that captured the entity would
    /// never be released.
    case byEntity(@Sendable (RowReader, RecordEntity<Record>) throws -> Record)
}

/// An entity with its record type.
///
/// The entity contains its description and, for each property, the code that finds, reads and writes it in a record.
public struct RecordEntity<Record: ManagedRecord>: Sendable {
    /// A class for the parts of an entity.
    ///
    /// An entity is read for every object. Copying all of its parts would cost more than the read itself.
    private final class Storage: Sendable {
        let description: EntityDescription
        let properties: [RecordProperty<Record>]
        let encoders: [PropertyEncoder]
        let reading: RecordReading<Record>
        let collector: any RowCollector
        let order: ReadingOrder<Record>
        let rules: RecordRules
        /// The model of an entity of records without a type, which parses the texts of their requests.
        let model: ManagedObjectModel?
        /// The first property with an option that is for another kind of property.
        let misused: RecordProperty<Record>?
        /// The record types that typed relationships reference, by the relationship's name.
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
        self.init(
            id: id, rawID: rawID, properties, rules: rules, reading: .declared(read: read, append: append),
            collector: collector, order: order, model: nil)
    }

    /// Creates an entity of a record type, or of records without a type, whose request texts their model parses.
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

    /// The properties that have a column, in the order of the columns.
    var properties: [RecordProperty<Record>] { storage.properties }

    /// The first property with an option that is for another kind of property, and the reason.
    var misuse: (property: String, reason: String)? {
        storage.misused.flatMap { property in property.misuse.map { (property.name, $0) } }
    }

    /// The model of an entity of records without a type.
    var origin: ManagedObjectModel? { storage.model }

    /// Returns a Boolean value that indicates whether this is the identical entity, not only an equal one.
    func isSame(as other: RecordEntity) -> Bool { storage === other.storage }

    /// The record types that typed relationships reference, by the relationship's name.
    var destinations: [String: any PersistentRecord.Type] { storage.destinations }

    /// The function that creates a record from a row.
    var read: @Sendable (RowReader) throws -> Record {
        switch storage.reading {
        case .declared(let read, _): read
        case .byEntity(let read): { row in try read(row, self) }
        }
    }

    /// The function that creates a record from a row and appends it.
    var append: @Sendable (RowReader, inout [Record]) throws -> Void {
        switch storage.reading {
        case .declared(_, let append): append
        case .byEntity(let read): { row, records in records.append(try read(row, self)) }
        }
    }

    /// The check that the closure reads the values in the declared order.
    var order: ReadingOrder<Record> { storage.order }

    /// The rules that decide whether a row is a valid record.
    var rules: RecordRules { storage.rules }

    /// The part of the object layer that creates objects from rows.
    var collector: any RowCollector { storage.collector }

    /// Returns the name of the column or `id` that a key path references.
    ///
    /// The result is `nil` if the path is not one of the entity's properties.
    func column(at path: AnyKeyPath) -> String? { storage.columns[path] }

    /// Returns a Boolean value that indicates whether a key path leads from a property's value to its stored raw value.
    func isRawPath(_ path: AnyKeyPath) -> Bool { storage.rawPaths.contains(path) }

    /// Returns the record's row with the values in the order of the columns.
    ///
    /// If a value cannot be stored, the row contains null instead, and the result contains a failure.
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

    /// Returns one value of a record's row, or null if the value cannot be stored.
    func value(at column: Int, of record: Record) -> StoredValue {
        // The validation of the whole row finds and names values that cannot be stored.
        withUnsafePointer(to: record) { (try? storage.encoders[column]($0)) ?? .null }
    }

    /// Sets one column of a record.
    ///
    /// If the property is writable, the parts of the record that are not stored are unchanged.
    ///
    /// - Throws: The error of the value's type or of the record's initializer.
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

    /// Returns the record of a row.
    ///
    /// - Throws: The error of the record's initializer if the values break its rules.
    public func record(from row: StoredRow) throws -> Record {
        do { return try storedRecord(from: row) } catch let error as PersistenceError where error.code == .unreadable {
            throw error.cause
        }
    }

    /// Returns the record of a row in the store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unreadable``. The error names the object, and
    ///   the attribute if a value is the reason.
    func storedRecord(from row: StoredRow) throws -> Record { try read(RowReader(ValueRowSource(row))) }

    /// Returns the row of a record for stores and bulk writes.
    ///
    /// Every value has the form in which its column stores it.
    ///
    /// - Throws: The first ``ValidationFailure`` if a value has no stored form.
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
