/// What is said of an entity.
struct EntitySummary: Sendable {
    let name: String
    /// What the rows are, in words.
    let title: String?
    let explanation: String?
    let rowCount: Int
    let columns: [ColumnSummary]
}
