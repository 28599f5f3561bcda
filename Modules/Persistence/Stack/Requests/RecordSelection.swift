import StrataCore

/// The keys and aggregates of one group of records.
///
/// `Key` and `Values` are the types of the keys and aggregates: a tuple for several, and the type itself for one.
public struct AggregateRow<Key, Values> {
    /// The key of the group, or a tuple of its keys.
    public let key: Key
    /// The aggregate over the group's records, or a tuple of its aggregates.
    public let values: Values
}

extension AggregateRow: Sendable where Key: Sendable, Values: Sendable {}

/// A selection of values of records, with functions that convert each result.
///
/// A context and a unit of work execute the selection; the conversion is the same for both.
struct RecordSelection<Record: ManagedRecord, Result> {
    let selection: StoreSelection
    let entity: RecordEntity<Record>
    private let read: (inout ResultReader) throws -> Result

    private init(
        _ selection: StoreSelection, _ entity: RecordEntity<Record>,
        _ read: @escaping (inout ResultReader) throws -> Result
    ) {
        (self.selection, self.entity, self.read) = (selection, entity, read)
    }

    /// Creates a selection of columns.
    init<each Value>(
        _ request: FetchRequest<Record>, distinct: Bool, _ columns: repeat RecordValue<Record, each Value>
    ) throws where Result == (repeat each Value) {
        var operands: [FetchOperand] = []
        for column in repeat each columns { operands.append(try column.operand(request.entity)) }
        self.init(StoreSelection(try request.lowered(), operands, distinct: distinct), request.entity) { reader in
            (repeat try reader.next((each columns)))
        }
    }

    /// Creates a selection of aggregates over all records.
    init<each Value>(
        _ request: FetchRequest<Record>, _ aggregates: repeat Aggregate<Record, each Value>
    ) throws where Result == (repeat each Value) {
        var operands: [FetchOperand] = []
        for aggregate in repeat each aggregates { operands.append(try aggregate.operand(request.entity)) }
        let selection = StoreSelection(try request.lowered(), operands, grouping: StoreSelection.Grouping())
        self.init(selection, request.entity) { reader in (repeat try reader.next((each aggregates))) }
    }

    /// Creates a selection of the keys and aggregates of groups.
    init<each Key, each Value>(
        _ request: FetchRequest<Record>, by keys: repeat RecordValue<Record, each Key>,
        select aggregates: repeat Aggregate<Record, each Value>, having: AggregateFilter<Record>?,
        order: [AggregateOrder<Record>], limit: Int?, offset: Int
    ) throws where Result == AggregateRow<(repeat each Key), (repeat each Value)> {
        let entity = request.entity
        var operands: [FetchOperand] = []
        for key in repeat each keys { operands.append(try key.operand(entity)) }
        let grouping = StoreSelection.Grouping(
            by: operands, having: try having?.condition(entity), order: try order.map { try $0.sort(entity) },
            limit: limit, offset: offset)
        for aggregate in repeat each aggregates { operands.append(try aggregate.operand(entity)) }
        self.init(StoreSelection(try request.lowered(), operands, grouping: grouping), entity) { reader in
            let key = (repeat try reader.next((each keys)))
            return AggregateRow(key: key, values: (repeat try reader.next((each aggregates))))
        }
    }

    /// Returns the only result of a selection without keys.
    func only(_ rows: [[StoredValue]]) throws -> Result {
        guard let result = try results(rows).first else {
            throw PersistenceError(
                .invalidRequest, "the context returned no result of an aggregate", entity: entity.name)
        }
        return result
    }

    /// Returns the results with their Swift types.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/unreadable`` if a value does not have its Swift
    ///   type.
    func results(_ rows: [[StoredValue]]) throws -> [Result] {
        try rows.map { row in
            var reader = ResultReader(values: row, entity: entity.name)
            return try read(&reader)
        }
    }
}

/// A reader of the values of one result, in their order.
private struct ResultReader {
    let values: [StoredValue]
    let entity: String
    private var index = 0

    init(values: [StoredValue], entity: String) {
        (self.values, self.entity) = (values, entity)
    }

    mutating func next<Record, Value>(_: RecordValue<Record, Value>) throws -> Value { try next() }

    mutating func next<Record, Value>(_: Aggregate<Record, Value>) throws -> Value { try next() }

    private mutating func next<Value: AttributeValue>() throws -> Value {
        defer { index += 1 }
        do { return try Value(storedValue: values[index]) } catch let error as ValueError {
            throw PersistenceError(
                .unreadable, "the selected value \(index + 1) is no \(Value.self): \(error)", entity: entity)
        }
    }
}
