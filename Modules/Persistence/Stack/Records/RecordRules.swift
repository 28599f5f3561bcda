/// The rules that decide whether the values of a row are a valid record.
///
/// A record is always created by its initializer. This choice concerns batches and bulk writes, which store millions of
/// rows without objects. If they stored a row that the initializer rejects, the row could not be read any more.
///
/// ```swift
/// static let entity = RecordEntity<Tag>("Tag", id: \.id, [.attribute("word", \.word)], rules: .model) { row in
///     Tag(id: try row.id(), word: try row.next())
/// }
/// ```
public enum RecordRules: Sendable, Hashable {
    /// The record's initializer decides; it may reject values that the model's rules accept.
    ///
    /// Batches and bulk writes create a record from every row that they store. If the initializer rejects one row, they
    /// store nothing.
    case initializer
    /// The model alone decides; the initializer accepts every value that obeys the model.
    ///
    /// Use this case if the initializer cannot throw. Use it also if each rule of the initializer is declared as a rule
    /// of the attribute or by the attribute's own type. Batches then leave the work to the store, and bulk writes to
    /// the model's rules. The declaration is not verified for stored rows. If it is wrong, a row may be stored that
    /// cannot be read.
    ///
    /// An entity with computed attributes is an exception: batches and bulk writes create records from its rows to
    /// compute the attributes.
    case model
}
