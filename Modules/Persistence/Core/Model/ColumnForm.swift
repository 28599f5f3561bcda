/// What values a column takes, by itself: its description is a large value, and copying that for every value of every row costs more than asking it.
package struct ColumnForm: Sendable {
    package let type: AttributeType
    package let isOptional: Bool
    /// Whether it holds the identifiers that a to-one relationship leads to.
    package let isReference: Bool

    init(_ column: ColumnDescription) {
        type = column.type
        isOptional = column.isOptional
        isReference = column.attribute == nil
    }

    /// Whether a value is in the form in which rows of the column hold it; false says nothing of unusual ones, which a conversion gives back as they are.
    package func holds(_ value: StoredValue) -> Bool {
        if value.isNull { return isOptional }
        guard isReference else { return value.isStored(as: type) }
        guard case .integer(let id) = value else { return false }
        return identifierRange.contains(id)
    }
}
