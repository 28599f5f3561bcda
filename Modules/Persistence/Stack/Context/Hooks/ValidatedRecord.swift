import StrataCore

/// A record type with validation rules in addition to those of its attributes, for example rules across properties.
///
/// ```swift
/// extension Shift: ValidatedRecord {
///     func validate(_ validation: inout RecordValidation<Shift>) {
///         validation.require(start < end, of: \.end, "a shift ends after it begins")
///     }
/// }
/// ```
///
/// A save validates every object that it would write, on the context's queue. It reports the failures of all objects
/// together with those of the model's rules. Batches and bulk writes of a container do not call these rules.
public protocol ValidatedRecord: PersistentRecord {
    /// Checks a record that is about to be inserted or updated.
    func validate(_ validation: inout RecordValidation<Self>)

    /// Checks a record that is about to be deleted.
    func validateForDelete(_ validation: inout RecordValidation<Self>)
}

extension ValidatedRecord {
    /// Accepts every insertion and update.
    public func validate(_ validation: inout RecordValidation<Self>) {}

    /// Accepts every deletion.
    public func validateForDelete(_ validation: inout RecordValidation<Self>) {}
}

/// The operation that a save performs on an object.
public enum SaveOperation: Sendable, Hashable {
    /// The object is new.
    case insert
    /// The object was changed.
    case update
    /// The object was deleted.
    case delete
}

/// A collector of the failures of one record.
public struct RecordValidation<Record: PersistentRecord> {
    /// The operation that the save performs on the object.
    public let operation: SaveOperation
    /// The record with the values that were last read or saved, or `nil` if the object was never saved.
    public let committed: Record?

    private let record: Record
    private(set) var failures: [ValidationFailure] = []

    init(_ record: Record, committed: Record?, _ operation: SaveOperation) {
        self.record = record
        self.committed = committed
        self.operation = operation
    }

    /// Adds a failure of one property if a condition is false.
    ///
    /// - Parameters:
    ///   - condition: The condition that a valid record satisfies.
    ///   - path: The property that breaks the rule.
    ///   - rule: The rule in words for the message, without values of the record.
    public mutating func require<Value>(_ condition: Bool, of path: KeyPath<Record, Value>, _ rule: String) {
        if !condition { fail(path, rule) }
    }

    /// Adds a failure of the record as a whole if a condition is false.
    ///
    /// - Parameters:
    ///   - condition: The condition that a valid record satisfies.
    ///   - rule: The rule in words for the message, without values of the record.
    public mutating func require(_ condition: Bool, _ rule: String) {
        if !condition { fail(rule) }
    }

    /// Adds a failure of one property.
    ///
    /// - Parameters:
    ///   - path: The property that breaks the rule.
    ///   - rule: The rule in words for the message, without values of the record.
    public mutating func fail<Value>(_ path: KeyPath<Record, Value>, _ rule: String) {
        let entity = Record.entity
        let name = entity.column(at: path)
        let column = name.flatMap { entity.description.columnIndex($0) }
        note(name ?? "", value: column.map { entity.value(at: $0, of: record) } ?? .null, rule: rule)
    }

    /// Adds a failure of the record as a whole.
    ///
    /// - Parameter rule: The rule in words for the message, without values of the record.
    public mutating func fail(_ rule: String) {
        note("", value: .null, rule: rule)
    }

    private mutating func note(_ attribute: String, value: StoredValue, rule: String) {
        failures.append(
            ValidationFailure(
                entity: Record.entity.name, id: record.id.rawValue, attribute: attribute, value: value,
                rule: .custom(rule)))
    }
}

extension ManagedObject {
    /// Returns the failures that ``ValidatedRecord`` methods of the object's record type report.
    final func brokenRules(_ operation: SaveOperation) throws -> [ValidationFailure] {
        var check = RuleCheck(operation: operation)
        try typed.accept(&check)
        return check.failures
    }
}

private struct RuleCheck: ObjectVisitor {
    let operation: SaveOperation
    private(set) var failures: [ValidationFailure] = []

    init(operation: SaveOperation) {
        self.operation = operation
    }

    mutating func visit<Record: ManagedRecord>(_ object: Managed<Record>) {
        if let type = Record.self as? any ValidatedRecord.Type { check(type, object) }
    }

    private mutating func check<Rules: ValidatedRecord>(_ type: Rules.Type, _ object: ManagedObject) {
        guard let object = object as? Managed<Rules> else { return }
        var validation = RecordValidation<Rules>(object.record, committed: object.committedRecord, operation)
        if operation == .delete {
            object.record.validateForDelete(&validation)
        } else {
            object.record.validate(&validation)
        }
        failures += validation.failures
    }
}
