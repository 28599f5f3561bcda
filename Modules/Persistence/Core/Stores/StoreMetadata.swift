/// The description that a store contains of itself, read without loading a model.
///
/// ```swift
/// let metadata = try PersistentContainer.metadata(of: .sqlite(at: url))
/// print(metadata.texts["customer"] ?? "unknown", metadata.model?.entities.map(\.name) ?? [])
/// ```
public struct StoreMetadata: Sendable {
    /// The kind, the identifier, the format version and the size.
    public var information: StoreInformation
    /// The part of the store's model that rows depend on, as ``ManagedObjectModel/json()`` returns it.
    public var modelImage: String
    /// The store's whole model as a model file; `nil` in stores of versions that did not store it.
    public var modelFile: String?
    /// The store's model, without the rules of its Swift types; `nil` in stores of versions that did not store it.
    public var model: ManagedObjectModel?
    /// The texts that users keep in the store, by their keys; see ``RowWriter/setMetadata(_:forKey:)``.
    public var texts: [String: String]

    /// Creates metadata.
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
