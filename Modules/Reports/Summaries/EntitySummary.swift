/// What is said of an entity.
struct EntitySummary: Sendable {
    let name: String
    let rowCount: Int
    let columns: [ColumnSummary]
}
