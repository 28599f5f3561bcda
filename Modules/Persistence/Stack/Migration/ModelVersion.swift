/// One version of a model that stores may have.
///
/// ```swift
/// let first = ModelVersion("1", try ModelFile(json: bytes).model)
/// let second = ModelVersion("2", try ManagedObjectModel(records: [Customer.self]))
/// ```
///
/// For earlier versions, a plan needs only the model. A saved model file is sufficient, and no record type is
/// necessary.
public struct ModelVersion: Sendable {
    /// The name of the version, for example `1` or `2026-11`.
    public let name: String
    /// The model.
    public let model: ManagedObjectModel

    /// Creates a version from a name and a model.
    ///
    /// - Parameters:
    ///   - name: The name, which is unique in a plan.
    ///   - model: The model.
    public init(_ name: String, _ model: ManagedObjectModel) {
        self.name = name
        self.model = model
    }
}
