/// A record type with rules of its own, across properties too, beyond those its attributes declare.
///
/// ```swift
/// extension Shift: ValidatedRecord {
///     func validate(_ validation: inout RecordValidation<Shift>) {
///         validation.require(start < end, \.end, "a shift ends after it begins")
///     }
/// }
/// ```
///
/// A save asks every object it would write, on the context's queue, and gathers what all of them say with what the model's rules say. The bulk
/// paths make no records and ask none.
public protocol ValidatedRecord: PersistentRecord {
    /// Judges a record that is about to be inserted or updated.
    func validate(_ validation: inout RecordValidation<Self>)

    /// Judges a record that is about to be deleted.
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

    /// Notes a broken rule, unless the condition holds.
    ///
    /// - Parameters:
    ///   - condition: What must hold.
    ///   - path: The property at fault; `nil` for the record as a whole.
    ///   - rule: The rule in words, without values.
    public mutating func require(
        _ condition: Bool, _ path: (any PartialKeyPath<Record> & Sendable)? = nil, _ rule: String
    ) {
        if !condition { fail(path, rule) }
    }

    /// Notes a broken rule.
    ///
    /// - Parameters:
    ///   - path: The property at fault; `nil` for the record as a whole.
    ///   - rule: The rule in words, without values.
    public mutating func fail(_ path: (any PartialKeyPath<Record> & Sendable)? = nil, _ rule: String) {
        let entity = Record.entity
        let name = path.flatMap { entity.column(at: $0) }
        let values = entity.encode(record).values
        let value = name.flatMap { entity.description.columnIndex($0) }.map { values[$0] }
        failures.append(
            ValidationFailure(
                entity: entity.name, id: record.id.rawValue, attribute: name ?? "", value: value ?? .null,
                rule: .custom(rule)))
    }
}
