import StrataCore

/// A record type with rules of its own, across properties too, beyond those its attributes declare.
///
/// ```swift
/// extension Shift: ValidatedRecord {
///     func validate(_ validation: inout RecordValidation<Shift>) {
///         validation.require(start < end, of: \.end, "a shift ends after it begins")
///     }
/// }
/// ```
///
/// A save asks every object it would write, on the context's queue, and gathers what all of them say with what the model's rules say. The bulk
/// paths make no records and ask none.
public protocol ValidatedRecord: PersistentRecord {
    /// Checks a record that is about to be inserted or updated.
    func validate(_ validation: inout RecordValidation<Self>)

    /// Checks a record that is about to be deleted.
    func validateForDelete(_ validation: inout RecordValidation<Self>)
}

extension ValidatedRecord {
    /// Anything may be inserted or updated.
    public func validate(_ validation: inout RecordValidation<Self>) {}

    /// Anything may be deleted.
    public func validateForDelete(_ validation: inout RecordValidation<Self>) {}
}

/// What a save does with an object.
public enum SaveOperation: Sendable, Hashable {
    /// The object is new.
    case insert
    /// The object was changed.
    case update
    /// The object was deleted.
    case delete
}

/// Collects the rules that one record breaks.
public struct RecordValidation<Record: PersistentRecord> {
    /// What the save does with the object.
    public let operation: SaveOperation
    /// The values as they were read or saved last; `nil` before the first save.
    public let committed: Record?

    private let record: Record
    private(set) var failures: [ValidationFailure] = []

    init(_ record: Record, committed: Record?, _ operation: SaveOperation) {
        self.record = record
        self.committed = committed
        self.operation = operation
    }

    /// Notes a broken rule of one property, unless the condition holds.
    ///
    /// - Parameters:
    ///   - condition: What must hold.
    ///   - path: The property at fault.
    ///   - rule: The rule in words, without values.
    public mutating func require<Value>(_ condition: Bool, of path: KeyPath<Record, Value>, _ rule: String) {
        if !condition { fail(path, rule) }
    }

    /// Notes a broken rule of the record as a whole, unless the condition holds.
    ///
    /// - Parameters:
    ///   - condition: What must hold.
    ///   - rule: The rule in words, without values.
    public mutating func require(_ condition: Bool, _ rule: String) {
        if !condition { fail(rule) }
    }

    /// Notes a broken rule of one property.
    ///
    /// - Parameters:
    ///   - path: The property at fault.
    ///   - rule: The rule in words, without values.
    public mutating func fail<Value>(_ path: KeyPath<Record, Value>, _ rule: String) {
        let entity = Record.entity
        let name = entity.column(at: path)
        let column = name.flatMap { entity.description.columnIndex($0) }
        note(name ?? "", value: column.map { entity.value(at: $0, of: record) } ?? .null, rule: rule)
    }

    /// Notes a broken rule of the record as a whole.
    ///
    /// - Parameter rule: The rule in words, without values.
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
