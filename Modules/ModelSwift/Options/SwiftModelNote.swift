/// A note about a part of a model that has no exact equivalent in the generated code.
public struct SwiftModelNote: Sendable, Hashable, CustomStringConvertible {
    /// The name of the entity in the model.
    public let entity: String
    /// The name of the property in the model; `nil` if the note is about the entity.
    public let property: String?
    /// The reason for the note.
    public let message: String

    /// The entity, the property and the reason in one line.
    public var description: String { "\(entity)\(property.map { ".\($0)" } ?? ""): \(message)" }
}
