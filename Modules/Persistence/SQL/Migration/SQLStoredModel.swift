package import StrataCore
import StrataModelFiles
package import StrataStoreKit

/// The model in a store's metadata, with which the store was created or to which it was last migrated.
package struct SQLStoredModel: Equatable {
    /// The text of the model in the form of ``ManagedObjectModel/json()``, which is the only form in stores of early
    /// versions.
    package let image: String
    /// The model as a complete model file; `nil` in stores of versions that did not store one.
    package let file: String?
    /// The count of migrations of the store, by which a process with an older model detects that the store was
    /// migrated.
    package let generation: Int64
    /// The digest of each entity, by the entity's name.
    private let hashes: [String: String]
    /// A Boolean value that indicates whether the stored text prevents older programs, which do not know views, from
    /// opening the store.
    private let isMarked: Bool

    /// Reads the stored model; the caller must ensure that no other process changes the database meanwhile, for example
    /// by an open transaction.
    ///
    /// - Parameters:
    ///   - connection: A connection to the store.
    ///   - layout: A layout with the engine's dialect; its model is not used.
    ///   - path: The location of the store, for error messages.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if the store does not contain a
    ///   model, or another code if the store cannot be read.
    package init(on connection: some SQLConnection, _ layout: SQLLayout, path: String) throws {
        guard let image = try connection.text(layout.metadataSelection, .string(SQLLayout.modelKey)) else {
            throw PersistenceError(.corrupt, "the store does not contain its model", path: path)
        }
        isMarked = SQLLayout.isMarked(image)
        self.image = isMarked ? String(image.dropLast(SQLLayout.mark.count)) : image
        file = try connection.text(layout.metadataSelection, .string(SQLLayout.modelFileKey))
        generation =
            try connection.text(layout.metadataSelection, .string(SQLLayout.generationKey)).flatMap { Int64($0) } ?? 0
        var hashes: [String: String] = [:]
        for key in try connection.texts(layout.metadataKeys) where key.hasPrefix(SQLLayout.hashPrefix) {
            hashes[String(key.dropFirst(SQLLayout.hashPrefix.count))] = try connection.text(
                layout.metadataSelection, .string(key))
        }
        self.hashes = hashes
    }

    /// Returns a Boolean value that indicates whether the stored model is identical to the argument.
    ///
    /// If the store contains only a part of the model, only this part is compared.
    package func isSame(as model: ManagedObjectModel) throws -> Bool {
        if let file { return file == (isMarked ? ModelFile.newerText(of: model) : ModelFile.text(of: model)) }
        let isSaidInImage = model.entities.allSatisfy { entity in
            entity.computationVersion == nil && entity.attributes.allSatisfy(\.renamedValues.isEmpty)
        }
        return try isSaidInImage && image == model.json()
    }

    /// Returns the complete stored model, with its rules and default values.
    ///
    /// - Parameters:
    ///   - model: The model with which the stored model will be compared. For Swift types that both models name, its
    ///     rules are used.
    ///   - path: The location of the store, for error messages.
    /// - Returns: The stored model.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` if the stored model is invalid or
    ///   does not match the store's digests.
    package func model(comparedWith model: ManagedObjectModel, path: String) throws -> ManagedObjectModel {
        let stored: ManagedObjectModel
        do { stored = try read(comparedWith: model) } catch {
            throw PersistenceError(.corrupt, "the store's model cannot be read: \(error)", path: path)
        }
        // A migration must not start from a model that the store never had.
        guard try file == nil || hashes == stored.entityHashes() else {
            throw PersistenceError(
                .corrupt,
                "the stored model does not match its digests; another program changed it, or it is damaged",
                path: path)
        }
        return stored
    }

    /// The operation that a store needs before it can be used with a model.
    package enum Need: Equatable {
        case nothing
        /// The rows remain unchanged, and the metadata or the indexes are updated.
        case takeOver
        /// Rows must be migrated.
        case migration
    }

    /// Returns the operation that the store needs before it can be used with a model.
    ///
    /// - Parameters:
    ///   - model: The model with which the store is opened.
    ///   - path: The location of the store, for error messages.
    /// - Returns: The operation, and the mapping from the stored model to `model`; the mapping is `nil` if the store
    ///   needs no operation.
    /// - Throws: The errors of ``model(comparedWith:path:)``.
    package func need(of model: ManagedObjectModel, path: String) throws -> (need: Need, mapping: ModelMapping?) {
        if try isSame(as: model) { return (.nothing, nil) }
        let earlier: ManagedObjectModel
        do { earlier = try self.model(comparedWith: model, path: path) } catch let error as PersistenceError {
            // The parts on which rows depend are still known. A check reports and repairs the damaged rest.
            if image == (try model.json()) { return (.nothing, nil) }
            throw error
        }
        let mapping = ModelMapping(from: earlier, to: model)
        return (mapping.changesRows ? .migration : .takeOver, mapping)
    }

    private func read(comparedWith model: ManagedObjectModel) throws -> ManagedObjectModel {
        guard let file else { return try ManagedObjectModel(fromImage: image, filledBy: model) }
        let domains = model.entities.flatMap(\.attributes).compactMap(\.domain)
        return try ModelFile(
            json: Array(file.utf8),
            domains: Dictionary(domains.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }), isKept: true
        ).model
    }
}

extension SQLLayout {
    /// Returns the metadata entries that contain the model, by their keys.
    package func modelEntries() throws -> [String: String] {
        let isMarked = dialect.marksModelTexts
        var entries = [
            Self.modelKey: try model.json() + (isMarked ? Self.mark : ""),
            Self.modelFileKey: isMarked ? ModelFile.newerText(of: model) : ModelFile.text(of: model),
        ]
        for (entity, hash) in try model.entityHashes() { entries[Self.hashPrefix + entity] = hash }
        return entries
    }

    /// The suffix of a stored model text, because of which older programs, which do not know views, reject the store as
    /// one of a different model.
    package static let mark = " "

    /// Returns a Boolean value that indicates whether a stored model text has the suffix ``mark``.
    package static func isMarked(_ image: String) -> Bool { image.hasSuffix(mark) }
}
