/// An error that prevents the generation of Swift code from a model.
public struct SwiftModelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The name of the entity in the model; `nil` if the error is about an option.
    public let entity: String?
    /// The reason, and a way to correct it.
    public let message: String

    /// The entity and the reason in one line.
    public var description: String { entity.map { "\($0): \(message)" } ?? message }
}
