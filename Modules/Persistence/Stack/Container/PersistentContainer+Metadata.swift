import StrataCore

extension PersistentContainer {
    /// Returns the metadata of a store without a model and without opening it.
    ///
    /// The metadata contains the kind, the identifier, the model and the texts of users.
    ///
    /// ```swift
    /// let metadata = try PersistentContainer.metadata(of: .sqlite(at: url))
    /// print(metadata.texts["customer"] ?? "unknown", metadata.model?.entities.map(\.name) ?? [])
    /// ```
    ///
    /// The store is only read, and may be in use.
    ///
    /// - Parameter description: The store, which must exist.
    /// - Returns: The metadata.
    /// - Throws: ``PersistenceError`` with the reason if the store cannot be read; with code
    ///   ``PersistenceError/Code/invalidRequest`` for a kind of store that does not exist before it is opened.
    public static func metadata(of description: PersistentStoreDescription) throws -> StoreMetadata {
        try description.provider.metadata(options: description.options)
    }

    /// Returns the current texts of users in the store, by key.
    ///
    /// - Returns: The texts.
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    public func metadata() throws -> [String: String] {
        let snapshots = try coordinator.store.openSnapshots(1)
        defer { for snapshot in snapshots { snapshot.close() } }
        return try snapshots[0].metadata()
    }

    /// Saves texts in the store under custom keys, for example the customer, or the name and date of the last import.
    ///
    /// All texts are saved immediately in one transaction, and are part of every copy. For large or searchable data,
    /// define an entity instead.
    ///
    /// ```swift
    /// try container.setMetadata(["customer": "Ada", "draft": nil])
    /// ```
    ///
    /// - Parameter texts: The texts by their keys; `nil` deletes the existing text. Other keys are unchanged.
    /// - Throws: ``PersistenceError`` if the store cannot be written, for example with
    ///   ``PersistenceError/Code/readOnly``.
    public func setMetadata(_ texts: [String: String?]) throws {
        guard !texts.isEmpty else { return }
        try coordinator.store.writeRows { writer in
            for (key, text) in texts.sorted(by: { $0.key < $1.key }) { try writer.setMetadata(text, forKey: key) }
        }
    }
}
