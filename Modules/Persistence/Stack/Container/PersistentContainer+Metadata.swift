import StrataCore

extension PersistentContainer {
    /// What a store says of itself, without a model and without opening it: kind, identifier, its model, and what users keep in it.
    ///
    /// ```swift
    /// let metadata = try PersistentContainer.metadata(of: .sqlite(at: url))
    /// print(metadata.texts["customer"] ?? "nobody's", metadata.model?.entities.map(\.name) ?? [])
    /// ```
    ///
    /// The store is only read, and may be in use.
    ///
    /// - Parameter description: The store, which has to be there.
    /// - Returns: What it says.
    /// - Throws: ``PersistenceError`` that says why the store cannot be looked at, with code ``PersistenceError/Code/invalidRequest`` for a kind of store
    ///   that is nowhere before it is opened.
    public static func metadata(of description: PersistentStoreDescription) throws -> StoreMetadata {
        try description.provider.metadata(options: description.options)
    }

    /// What users keep in the store, by their keys: the state of now.
    ///
    /// - Returns: The texts.
    /// - Throws: ``PersistenceError`` when the store cannot be read.
    public func metadata() throws -> [String: String] {
        let snapshots = try coordinator.store.openSnapshots(1)
        defer { for snapshot in snapshots { snapshot.close() } }
        return try snapshots[0].metadata()
    }

    /// Keeps texts in the store under keys of your own: the customer, what was imported last, when.
    ///
    /// They are stored at once, all or none, and are part of every copy. For much, or for what is looked for, make an entity of it.
    ///
    /// ```swift
    /// try container.setMetadata(["customer": "Ada", "draft": nil])
    /// ```
    ///
    /// - Parameter texts: The texts by their keys; `nil` forgets what is there. Other keys stay.
    /// - Throws: ``PersistenceError`` for what hinders writing, as ``PersistenceError/Code/readOnly``.
    public func setMetadata(_ texts: [String: String?]) throws {
        guard !texts.isEmpty else { return }
        try coordinator.store.writeRows { writer in
            for (key, text) in texts.sorted(by: { $0.key < $1.key }) { try writer.setMetadata(text, forKey: key) }
        }
    }
}
