import StrataCore

/// A value type, usually a struct, whose instances a store contains and whose entity it declares.
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
///
/// The type is an ordinary value type and needs no base class, macro or generated code. The entity is its only
/// connection to the store. A model is created from the types with ``ManagedObjectModel/init(records:)``, which also
/// checks each type, for example the order in which its closure reads values.
///
/// A property without an entry in the entity is not stored; the closure must give it a value.
///
/// ## Topics
///
/// - ``entity``
public protocol PersistentRecord: ManagedRecord {
    /// The entity of the record type: names, key paths, types, rules, and the closure that creates a record from a row.
    static var entity: RecordEntity<Self> { get }
}

extension PersistentRecord {
    /// The entity that the type declares.
    public static var declaredEntity: RecordEntity<Self>? { entity }

    /// The entity that the record's type declares.
    public var recordEntity: RecordEntity<Self> { Self.entity }
}
