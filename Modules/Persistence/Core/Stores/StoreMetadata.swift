/// What a store says of itself, read without loading a model.
///
/// ```swift
/// let metadata = try PersistentContainer.metadata(of: .sqlite(at: url))
/// print(metadata.texts["customer"] ?? "nobody's", metadata.model?.entities.map(\.name) ?? [])
/// ```
public struct StoreMetadata: Sendable {
    /// Kind, identifier, version of the format, size.
    public var information: StoreInformation
    /// The store's model as ``ManagedObjectModel/json()`` gives it: what rows depend on.
    public var modelImage: String
    /// The store's whole model as a model file; `nil` in stores that were made before these kept it.
    public var modelFile: String?
    /// The store's model, without the rules of its Swift types; `nil` in stores that were made before these kept it.
    public var model: ManagedObjectModel?
    /// What users keep in the store, by their keys; see ``RowWriter/setMetadata(_:forKey:)``.
    public var texts: [String: String]

    /// What a store says of itself.
    public init(
        information: StoreInformation, modelImage: String, modelFile: String? = nil, model: ManagedObjectModel? = nil,
        texts: [String: String] = [:]
    ) {
        self.information = information
        self.modelImage = modelImage
        self.modelFile = modelFile
        self.model = model
        self.texts = texts
    }
}
