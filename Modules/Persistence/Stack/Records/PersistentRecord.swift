import StrataCore

/// A value type whose instances a stack stores: a struct that describes its entity once.
///
/// ```swift
/// struct Customer: PersistentRecord {
///     let id: RecordID<Customer>
///     var name: String
///     var referredBy: RecordID<Customer>?
///
///     static let entity = RecordEntity<Customer>(
///         "Customer", id: \.id,
///         [
///             .attribute("name", \.name, rules: [.maximumLength(80)], isIndexed: true),
///             .toOne("referredBy", \.referredBy, to: "Customer"),
///         ]
///     ) { row in
///         Customer(id: try row.id(), name: try row.next(), referredBy: try row.next())
///     }
/// }
/// ```
public protocol PersistentRecord: ManagedRecord {
    /// The record type's entity: names, key paths, types, rules, and the closure that reads a row.
    static var entity: RecordEntity<Self> { get }
}

extension PersistentRecord {
    /// The type's entity.
    public static var declaredEntity: RecordEntity<Self>? { entity }

    /// The type's entity.
    public var recordEntity: RecordEntity<Self> { Self.entity }
}
