/// A record that contexts can store: its type or the record itself determines its entity.
///
/// All records of a ``PersistentRecord`` type have one entity, which the type declares. A ``DynamicRecord`` contains
/// its entity. Generic code over this protocol supports both, and takes the entity as an argument:
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
    ///
    /// For a ``PersistentRecord``, this is the entity that the type declares. Methods with an optional parameter
    /// `entity` use it if the argument is `nil`.
    static var declaredEntity: RecordEntity<Self>? { get }

    /// The entity of this record.
    var recordEntity: RecordEntity<Self> { get }
}

extension ManagedRecord {
    /// Returns the given entity, or the entity that the type declares if `given` is `nil`.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if `given` is `nil` and the
    ///   type declares no entity.
    static func entity(_ given: RecordEntity<Self>?) throws -> RecordEntity<Self> {
        if let entity = given ?? declaredEntity { return entity }
        throw PersistenceError(.invalidRequest, "\(Self.self) declares no entity; name one with `entity:`")
    }
}

/// An entity whose record type the caller does not know.
protocol AnyRecordEntity: Sendable {
    associatedtype Record: ManagedRecord

    /// The entity with its record type.
    var typed: RecordEntity<Record> { get }
}

extension AnyRecordEntity {
    /// The record type of the entity, for messages.
    var recordType: any ManagedRecord.Type { Record.self }
}

extension RecordEntity: AnyRecordEntity {
    var typed: RecordEntity<Record> { self }
}
