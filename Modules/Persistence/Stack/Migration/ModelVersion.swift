/// One version of a model that stores may have.
///
/// ```swift
/// let first = ModelVersion("1", try ModelFile(json: bytes).model)
/// let second = ModelVersion("2", try ManagedObjectModel(records: [Customer.self]))
/// ```
///
/// Of earlier versions nothing is needed but the model: a model file kept from then serves, and no record type does.
public struct ModelVersion: Sendable {
    /// What people call it: `1`, `2026-11`.
    public let name: String
    /// The model.
    public let model: ManagedObjectModel

    /// Names a version.
    ///
    /// - Parameters:
    ///   - name: What people call it; another one for each version of a plan.
    ///   - model: The model.
    public init(_ name: String, _ model: ManagedObjectModel) {
        self.name = name
        self.model = model
    }
}
