/// The summary of the rows of an entity.
struct EntitySummary: Sendable {
    /// The name of the entity in the model.
    let name: String
    /// A description of the rows in words.
    let title: String?
    /// The description of the entity in the model, which can be long.
    let explanation: String?
    let rowCount: Int
    /// The summaries of the shown columns.
    let columns: [ColumnSummary]
}
