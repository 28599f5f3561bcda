/// The summary of the values of an attribute or a to-one relationship.
struct ColumnSummary: Sendable {
    let name: String
    /// A description of the values in words.
    let title: String?
    /// The name of the type for readers, or the destination of a relationship.
    let kind: String
    let isOptional: Bool
    let nullCount: Int
    let figure: ColumnFigure
}
