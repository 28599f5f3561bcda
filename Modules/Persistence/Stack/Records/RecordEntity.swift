import StrataCore

/// How the layer that makes objects of rows does so for one record type; compiled with the record type's own code.
@usableFromInline
protocol RowCollector: Sendable {}

/// How records are made of rows.
enum RecordReading<Record: ManagedRecord>: Sendable {
    /// By the closures of a record type, compiled with its own code.
    case declared(
        read: @Sendable (RowReader) throws -> Record, append: @Sendable (RowReader, inout [Record]) throws -> Void)
    /// By a function of the entity, which records without a type hold: a closure that the entity kept would keep it for ever.
    case byEntity(@Sendable (RowReader, RecordEntity<Record>) throws -> Record)
}

/// An entity as its record type knows it: the description, and for each property how to find, read and write it in the record.
public struct RecordEntity<Record: ManagedRecord>: Sendable {
    /// By reference: an entity is asked for with every object, and copying all of it would cost more than what is asked.
    private final class Storage: Sendable {
        let description: EntityDescription
        let properties: [RecordProperty<Record>]
        let encoders: [PropertyEncoder]
        let reading: RecordReading<Record>
        let collector: any RowCollector
        let order: ReadingOrder<Record>
        let rules: RecordRules
        /// The model in which an entity of records without a type was found: their texts are read by it.
        let model: ManagedObjectModel?
        /// The first property of which something is said that is for another kind of property.
        let misused: RecordProperty<Record>?
        /// The record types that typed relationships lead to, by the relationship's name.
        let destinations: [String: any PersistentRecord.Type]
        // SAFETY: these and the next are made of `Sendable` key paths and never changed; a dictionary's keys cannot keep the marker.
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

    /// An entity of a record type, or of records without one, whose texts are read by their model.
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
        // Of two properties with one path the first has it.
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

    /// The entity as stores know it.
    public var description: EntityDescription { storage.description }

    /// The entity's name.
    public var name: String { storage.description.name }

    /// The properties that have a column, in the order of the columns.
    var properties: [RecordProperty<Record>] { storage.properties }

    /// A property of which something is said that is for another kind of property, and what.
    var misuse: (property: String, reason: String)? {
        storage.misused.flatMap { property in property.misuse.map { (property.name, $0) } }
    }

    /// The model in which an entity of records without a type was found.
    var origin: ManagedObjectModel? { storage.model }

    /// Whether it is the same entity, and not only one that says the same.
    func isSame(as other: RecordEntity) -> Bool { storage === other.storage }

    /// The record types that typed relationships lead to, by the relationship's name.
    var destinations: [String: any PersistentRecord.Type] { storage.destinations }

    /// Makes a record from a row.
    var read: @Sendable (RowReader) throws -> Record {
        switch storage.reading {
        case .declared(let read, _): read
        case .byEntity(let read): { row in try read(row, self) }
        }
    }

    /// Makes a record from a row and appends it.
    var append: @Sendable (RowReader, inout [Record]) throws -> Void {
        switch storage.reading {
        case .declared(_, let append): append
        case .byEntity(let read): { row, records in records.append(try read(row, self)) }
        }
    }

    /// Whether the closure reads the values in the declared order.
    var order: ReadingOrder<Record> { storage.order }

    /// What decides whether a row is a record.
    var rules: RecordRules { storage.rules }

    /// How a layer above makes objects of rows.
    var collector: any RowCollector { storage.collector }

    /// The column or `id` that a key path leads to; `nil` when it is none of the entity's properties.
    func column(at path: AnyKeyPath) -> String? { storage.columns[path] }

    /// Whether a key path leads from a property's value to its raw value, which is what is stored.
    func isRawPath(_ path: AnyKeyPath) -> Bool { storage.rawPaths.contains(path) }

    /// The record's row: values in the order of the columns, and what cannot be stored.
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

    /// One value of a record's row; null where it cannot be stored.
    func value(at column: Int, of record: Record) -> StoredValue {
        // What cannot be stored is found, and named, by the validation of the whole row.
        withUnsafePointer(to: record) { (try? storage.encoders[column]($0)) ?? .null }
    }

    /// Gives a record another value in one column.
    ///
    /// What the record holds beside what is stored stays, where the property can be written.
    ///
    /// - Throws: What the value's type or the record's initialiser throws.
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

    /// The record of a row by value.
    ///
    /// - Throws: What the record's initialiser throws when the values break its rules.
    public func record(from row: StoredRow) throws -> Record {
        do { return try storedRecord(from: row) } catch let error as PersistenceError where error.code == .unreadable {
            throw error.cause
        }
    }

    /// The record of a row that the store has.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unreadable`` that names the object, and the attribute where a value is the reason.
    func storedRecord(from row: StoredRow) throws -> Record { try read(RowReader(ValueRowSource(row))) }

    /// The row of a record by value, for stores and bulk paths: every value in the form in which its column holds it.
    ///
    /// - Throws: The first ``ValidationFailure`` when a value has no stored form.
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
