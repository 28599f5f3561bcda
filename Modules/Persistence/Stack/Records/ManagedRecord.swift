/// A value that contexts keep: a record whose entity is known, from its type or from the record itself.
///
/// ``PersistentRecord`` types conform, each with one entity for all its records, and ``DynamicRecord``, whose records each say which entity they are
/// of. What works for both is written once, over this protocol, and takes the entity as a value:
///
/// ```swift
/// func copy<Record: ManagedRecord>(
///     _ entity: RecordEntity<Record>, from source: any RecordContext, to destination: any RecordContext
/// ) async throws {
///     let records = try await source.fetch(FetchRequest(entity))
///     try await destination.transaction { unit in
///         for record in records { try unit.insert(record) }
///     }
/// }
/// ```
///
/// A type of one's own conforms to ``PersistentRecord`` instead.
public protocol ManagedRecord: Identifiable, Sendable where ID: RecordIdentifier {
    /// The entity that all records of the type are of; `nil` where each record has its own.
    static var declaredEntity: RecordEntity<Self>? { get }

    /// The entity of this record.
    var recordEntity: RecordEntity<Self> { get }
}

extension ManagedRecord {
    /// Returns the entity that a caller gave, or the one that the type declares.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if there is neither.
    static func entity(_ given: RecordEntity<Self>?) throws -> RecordEntity<Self> {
        if let entity = given ?? declaredEntity { return entity }
        throw PersistenceError(.invalidRequest, "\(Self.self) declares no entity; name one with `entity:`")
    }
}

/// An entity whose record type is not known where it is asked for.
protocol AnyRecordEntity: Sendable {
    associatedtype Record: ManagedRecord

    /// The entity with its type.
    var typed: RecordEntity<Record> { get }
}

extension AnyRecordEntity {
    /// The type of the records, for messages.
    var recordType: any ManagedRecord.Type { Record.self }
}

extension RecordEntity: AnyRecordEntity {
    var typed: RecordEntity<Record> { self }
}
