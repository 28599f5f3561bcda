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

/// An error that prevents the generation of Swift code from a model.
public struct SwiftModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the entity in the model; `nil` if the error is about an option.
    public let entity: String?
    /// The reason, and a way to correct it.
    public let message: String

    /// The entity and the reason in one line.
    public var description: String { entity.map { "\($0): \(message)" } ?? message }
}
