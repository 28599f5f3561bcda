import StrataCore

/// A value type whose instances a stack keeps: a struct that describes its entity once.
///
/// ```swift
/// extension Color: PersistentRecord {
///     static let entity = RecordEntity<Color>(
///         "Color", id: \.id,
///         [.attribute("hex", \.hex), .attribute("name", \.name), .attribute("dateCreated", \.dateCreated, default: .now)]
///     ) { row in
///         try Color(id: row.id(), hex: row.next(), name: row.next(), dateCreated: row.next())
///     }
/// }
/// ```
public protocol PersistentRecord: Identifiable, Sendable where ID: RecordIdentifier {
    /// The record type's entity: names, key paths, types, rules, and how a row is read.
    static var entity: RecordEntity<Self> { get }
}
