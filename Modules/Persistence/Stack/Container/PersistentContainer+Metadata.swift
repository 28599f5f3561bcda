import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// Returns the metadata of a store without opening the store and without its model.
    ///
    /// The metadata contains the kind of the store, its identifier, its model, and the texts saved by
    /// ``setMetadata(_:)``.
    ///
    /// ```swift
    /// let metadata = try PersistentContainer.metadata(of: .sqlite(at: url))
    /// print(metadata.texts["customer"] ?? "unknown", metadata.model?.entities.map(\.name) ?? [])
    /// ```
    ///
    /// The method only reads the store, which other processes may use at the same time.
    ///
    /// - Parameter description: The store, which must exist.
    /// - Returns: The metadata.
    /// - Throws: ``PersistenceError`` if the store cannot be read; with code ``PersistenceError/Code/invalidRequest``
    ///   for a kind of store that does not exist before it is opened.
    public static func metadata(of description: PersistentStoreDescription) throws -> StoreMetadata {
        try description.provider.metadata(options: description.options)
    }

    /// Returns the texts in the store that ``setMetadata(_:)`` saved, by key.
    ///
    /// - Returns: The current texts.
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    public func metadata() throws -> [String: String] {
        let snapshots = try coordinator.store.openSnapshots(1)
        defer { for snapshot in snapshots { snapshot.close() } }
        return try snapshots[0].metadata()
    }

    /// Saves texts in the store under custom keys, for example a customer's name or the date of the last import.
    ///
    /// All texts are saved immediately in one transaction, and are included in every copy of the store. For large or
    /// searchable data, define an entity instead.
    ///
    /// ```swift
    /// try container.setMetadata(["customer": "Ada", "draft": nil])
    /// ```
    ///
    /// - Parameter texts: The texts by their keys; `nil` deletes the text of its key. Keys that are not in the
    ///   dictionary are unchanged.
    /// - Throws: ``PersistenceError`` if the store cannot be written, for example with
    ///   ``PersistenceError/Code/readOnly``.
    public func setMetadata(_ texts: [String: String?]) throws {
        guard !texts.isEmpty else { return }
        try coordinator.store.writeRows { writer in
            for (key, text) in texts.sorted(by: { $0.key < $1.key }) { try writer.setMetadata(text, forKey: key) }
        }
    }
}
