/// The summary of the values of an attribute or a to-one relationship.
struct ColumnSummary: Sendable {
    /// The name of the attribute or relationship in the model.
    let name: String
    /// A description of the values in words.
    let title: String?
    /// The name of the type for readers, or the destination of a relationship.
    let kind: String
    /// A Boolean value that indicates whether the model allows null in the column.
    let isOptional: Bool
    /// The number of nulls, which can be greater than 0 even in a column that is not optional.
    let nullCount: Int
    let figure: ColumnFigure
}
