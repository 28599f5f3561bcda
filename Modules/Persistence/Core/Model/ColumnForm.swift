/// The type and nullability of a column, without the rest of its description.
///
/// A column's description is a large value; copying it for each value of each row would cost more than checking the
/// value.
package struct ColumnForm: Sendable {
    package let type: AttributeType
    package let isOptional: Bool
    /// A Boolean value that indicates whether the column is a reference: it contains identifiers of a to-one
    /// relationship.
    package let isReference: Bool

    init(_ column: ColumnDescription) {
        type = column.type
        isOptional = column.isOptional
        isReference = column.attribute == nil
    }

    /// Returns a Boolean value that indicates whether a value is known to be in the stored form of the column.
    ///
    /// If the result is `false`, the value may still be in that form: a conversion returns some unusual values
    /// unchanged.
    package func holds(_ value: StoredValue) -> Bool {
        if value.isNull { return isOptional }
        guard isReference else { return value.isStored(as: type) }
        guard case .integer(let id) = value else { return false }
        return identifierRange.contains(id)
    }
}
