/// A declaration whether the model alone determines which rows form valid records.
///
/// A record is always created by its initializer. However, batches and bulk writes store millions of rows without
/// creating objects. If they stored a row that the initializer rejects, the row could never be read again.
///
/// ```swift
/// static let entity = RecordEntity<Tag>("Tag", id: \.id, [.attribute("word", \.word)], rules: .model) { row in
///     Tag(id: try row.id(), word: try row.next())
/// }
/// ```
///
/// ## Topics
///
/// - ``initializer``
/// - ``model``
public enum RecordRules: Sendable, Hashable {
    /// The initializer may reject values that the model's rules accept.
    ///
    /// Batches and bulk writes create a record from every row that they store. If the initializer rejects one row,
    /// nothing is stored.
    case initializer
    /// The initializer accepts all values that satisfy the model's rules.
    ///
    /// Use this case if the initializer cannot throw an error. Use it also if each rule of the initializer is also a
    /// rule of the attribute or of the attribute's own type. Batches can then run in the store without reading rows,
    /// and bulk writes only check the model's rules. The declaration is not verified for stored rows. If it is wrong, a
    /// row may be stored that cannot be read.
    ///
    /// If the entity has computed attributes, batches and bulk writes still create records from its rows to compute
    /// them.
    case model
}
