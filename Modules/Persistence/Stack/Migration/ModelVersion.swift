/// One version of a model that stores may have.
///
/// ```swift
/// let first = ModelVersion("1", try ModelFile(json: bytes).model)
/// let second = ModelVersion("2", try ManagedObjectModel(records: [Customer.self]))
/// ```
///
/// An earlier version needs only a model, not the record types of that time. The model may come from a saved model
/// file.
///
/// ## Topics
///
/// - ``init(_:_:)``
/// - ``name``
/// - ``model``
public struct ModelVersion: Sendable {
    /// The name of the version, for example `1` or `2026-11`.
    public let name: String
    /// The model of the version.
    public let model: ManagedObjectModel

    /// Creates a version from a name and a model.
    ///
    /// - Parameters:
    ///   - name: The name of the version, which is unique in a plan.
    ///   - model: The model of the version.
    public init(_ name: String, _ model: ManagedObjectModel) {
        self.name = name
        self.model = model
    }
}
