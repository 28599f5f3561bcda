/// The assignment of a value to an attribute or a to-one relationship.
public struct PredicateAssignment: Sendable, Hashable {
    /// The name of the attribute or relationship in the model.
    public let name: String
    /// The operand whose value is assigned.
    public let value: FetchOperand
    /// The position of the assignment in the text, in characters from 1.
    public let column: Int
    /// The index of the assigned value in the key of the referenced row; `nil` if the assignment is not a part of
    /// such a key.
    ///
    /// With ``PropertyNames/files``, a text assigns the key of a reference's target instead of the reference
    /// itself. There is one assignment for each value of the key.
    public var keyValue: Int?

    package init(name: String, value: FetchOperand, column: Int, keyValue: Int? = nil) {
        (self.name, self.value, self.column, self.keyValue) = (name, value, column, keyValue)
    }
}
