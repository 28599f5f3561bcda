/// A value that contexts manage: a record whose entity is known from its type or from the record itself.
///
/// ``PersistentRecord`` types conform; all records of such a type have one entity. ``DynamicRecord`` also conforms;
/// each of its records contains its entity. Code for both is written once over this protocol, and takes the entity as a
/// value:
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
/// A custom type conforms to ``PersistentRecord`` instead.
public protocol ManagedRecord: Identifiable, Sendable where ID: RecordIdentifier {
    /// The entity of all records of the type, or `nil` if each record has its own entity.
    static var declaredEntity: RecordEntity<Self>? { get }

    /// The entity of this record.
    var recordEntity: RecordEntity<Self> { get }
}

extension ManagedRecord {
    /// Returns the given entity, or the entity that the type declares.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if both are missing.
    static func entity(_ given: RecordEntity<Self>?) throws -> RecordEntity<Self> {
        if let entity = given ?? declaredEntity { return entity }
        throw PersistenceError(.invalidRequest, "\(Self.self) declares no entity; name one with `entity:`")
    }
}

/// An entity whose record type is not known to the caller.
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
