/// The count of the join rows of a many-to-many relationship.
///
/// A relationship and its inverse have the same join rows, so they have one summary.
struct JoinSummary: Sendable {
    /// The name of the relationship at its source.
    let name: String
    let source: String
    let target: String
    let count: Int
}
