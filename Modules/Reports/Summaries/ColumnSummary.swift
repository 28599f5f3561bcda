/// What is said of an attribute or a to-one relationship.
struct ColumnSummary: Sendable {
    let name: String
    /// What the values are, in words.
    let title: String?
    /// The type as people call it, or where a relationship leads.
    let kind: String
    let isOptional: Bool
    let nullCount: Int
    let figure: ColumnFigure
}
