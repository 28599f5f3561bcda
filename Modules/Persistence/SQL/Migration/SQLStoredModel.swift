package import StrataCore
import StrataModelFiles

/// The model that a store's metadata contain, with which the store was created or to which it was migrated.
package struct SQLStoredModel: Equatable {
    /// The model text that older stores contain exclusively.
    package let image: String
    /// The whole model as a model file; `nil` in stores of versions that did not store it.
    package let file: String?
    /// The count of migrations of the store, by which a process with an older model detects that it cannot continue.
    package let generation: Int64
    /// The digests of the entities, by their names.
    private let hashes: [String: String]
    /// A Boolean value that indicates whether builds that do not know views cannot open the store.
    private let isMarked: Bool

    /// Reads the stored model, inside one transaction or from a database that no process writes.
    ///
    /// - Parameters:
    ///   - connection: A connection to the store.
    ///   - layout: Any layout with the engine's dialect.
    ///   - path: The location of the store, for errors.
    /// - Throws: ``PersistenceError``.
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

    /// Returns a Boolean value that indicates whether the stored model is identical to a model.
    ///
    /// If the store contains only a part of the model, only this part is compared.
    package func isSame(as model: ManagedObjectModel) throws -> Bool {
        if let file { return file == (isMarked ? ModelFile.newerText(of: model) : ModelFile.text(of: model)) }
        let isSaidInImage = model.entities.allSatisfy { entity in
            entity.computationVersion == nil && entity.attributes.allSatisfy(\.renamedValues.isEmpty)
        }
        return try isSaidInImage && image == model.json()
    }

    /// Returns the stored model, with the rules and defaults that the store contains.
    ///
    /// - Parameters:
    ///   - model: The model for the comparison. The rules of its Swift types also apply to the types of the store with
    ///     the same names.
    ///   - path: The location of the store, for errors.
    /// - Returns: The model.
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

    /// The operation that adapts a store to a model.
    package enum Need: Equatable {
        case nothing
        /// Only the metadata or the indexes of the store differ.
        case takeOver
        /// Rows must be migrated.
        case migration
    }

    /// Compares the stored model with a model.
    ///
    /// - Parameters:
    ///   - model: The model with which the store is opened.
    ///   - path: The location of the store, for errors.
    /// - Returns: The operation that the store needs, and the mapping to the model; the mapping is `nil` if the store
    ///   needs nothing.
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
    /// Returns the metadata entries that describe the model, by their keys.
    package func modelEntries() throws -> [String: String] {
        let isMarked = dialect.marksModelTexts
        var entries = [
            Self.modelKey: try model.json() + (isMarked ? Self.mark : ""),
            Self.modelFileKey: isMarked ? ModelFile.newerText(of: model) : ModelFile.text(of: model),
        ]
        for (entity, hash) in try model.entityHashes() { entries[Self.hashPrefix + entity] = hash }
        return entries
    }

    /// The suffix of a model text that makes builds which do not know views reject it as a different model.
    package static let mark = " "

    /// Returns a Boolean value that indicates whether a model text prevents builds that do not know views.
    package static func isMarked(_ image: String) -> Bool { image.hasSuffix(mark) }
}
