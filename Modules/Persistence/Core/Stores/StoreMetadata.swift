/// The description that a store contains of itself, read without loading a model.
///
/// ```swift
/// let metadata = try PersistentContainer.metadata(of: .sqlite(at: url))
/// print(metadata.texts["customer"] ?? "unknown", metadata.model?.entities.map(\.name) ?? [])
/// ```
///
/// The metadata shows which model a store has, before a program decides to migrate it. It is a copy; to change the
/// texts, write them to the open store.
public struct StoreMetadata: Sendable {
    /// The kind, the identifier, the format version and the size of the store.
    public var information: StoreInformation
    /// The part of the store's model that rows depend on, as ``ManagedObjectModel/json()`` returns it.
    public var modelImage: String
    /// The store's whole model as the text of a model file; `nil` if the store's version did not record it.
    public var modelFile: String?
    /// The store's model without the rules of Swift types; `nil` if the store's version did not record it.
    public var model: ManagedObjectModel?
    /// The texts that callers have stored, by their keys; see ``RowWriter/setMetadata(_:forKey:)``.
    public var texts: [String: String]

    /// Creates the metadata of a store.
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
