/// The summary of the rows of an entity.
struct EntitySummary: Sendable {
    let name: String
    /// A description of the rows in words.
    let title: String?
    let explanation: String?
    let rowCount: Int
    let columns: [ColumnSummary]
}
