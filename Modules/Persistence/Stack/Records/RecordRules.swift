/// What decides whether the values of a row are a record.
///
/// A record is always made by its initialiser. The question is who is asked before rows are stored by the million, without objects: by batches and bulk
/// writes. What they stored and the initialiser refused could not be read any more.
///
/// ```swift
/// static let entity = RecordEntity<Tag>("Tag", id: \.id, [.attribute("word", \.word)], rules: .model) { row in
///     Tag(id: try row.id(), word: try row.next())
/// }
/// ```
public enum RecordRules: Sendable, Hashable {
    /// The record's initialiser: it may refuse what the model's rules accept.
    ///
    /// Batches and bulk writes make a record of every row that they store, and store nothing where one is refused.
    case initializer
    /// The model alone: the initialiser accepts every value that obeys the model.
    ///
    /// An entity with computed attributes is the exception: batches and bulk writes make records of its rows to compute them.
    ///
    /// Because it cannot throw, or because each of its rules is declared too, as a rule of the attribute or by the attribute's own type. Batches then leave
    /// the work to the store and bulk writes to the model's rules. Nobody checks the promise: where it is broken, a row may be stored that cannot be read.
    case model
}
