/// The count of the join rows of a many-to-many relationship.
struct JoinSummary: Sendable {
    let name: String
    let source: String
    let target: String
    let count: Int
}
