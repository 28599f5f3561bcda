package import StrataCore
import StrataModelFiles

/// What a store says of the model it was made with, or migrated to.
package struct SQLStoredModel: Equatable {
    /// What older stores have only.
    package let image: String
    /// The whole model as a model file; `nil` in stores that were made before these kept it.
    package let file: String?
    /// How often the store followed another model; it is what tells a process with an older one that it cannot go on.
    package let generation: Int64
    /// The digests of the entities, by their names.
    private let hashes: [String: String]
    /// Whether builds that know no views cannot open the store.
    private let isMarked: Bool

    /// Reads it, inside one transaction or in the way of a database that nobody writes.
    ///
    /// - Parameters:
    ///   - connection: A connection to the store.
    ///   - layout: Any layout of the engine's dialect.
    ///   - path: Where the store is, for errors.
    /// - Throws: ``PersistenceError``.
    package init(on connection: some SQLConnection, _ layout: SQLLayout, path: String) throws {
        guard let image = try connection.text(layout.metadataSelection, .string(SQLLayout.modelKey)) else {
            throw PersistenceError(.corrupt, "the store does not say with which model it was made", path: path)
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

    /// Whether it is a model, in every word; where the store has not all words, in those that it has.
    package func isSame(as model: ManagedObjectModel) throws -> Bool {
        if let file { return file == (isMarked ? ModelFile.newerText(of: model) : ModelFile.text(of: model)) }
        let isSaidInImage = model.entities.allSatisfy { entity in
            entity.computationVersion == nil && entity.attributes.allSatisfy(\.renamedValues.isEmpty)
        }
        return try isSaidInImage && image == model.json()
    }

    /// The model, with rules and defaults where the store has them.
    ///
    /// - Parameters:
    ///   - model: What it will be compared with: the rules of its Swift types are those of the store's, where they have the same names.
    ///   - path: Where the store is, for errors.
    /// - Returns: The model.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` for what is no model, or not the one of the store's digests.
    package func model(comparedWith model: ManagedObjectModel, path: String) throws -> ManagedObjectModel {
        let stored: ManagedObjectModel
        do { stored = try read(comparedWith: model) } catch {
            throw PersistenceError(.corrupt, "the store's model cannot be read: \(error)", path: path)
        }
        // A store does not follow from a model that it never had.
        guard try file == nil || hashes == stored.entityHashes() else {
            throw PersistenceError(
                .corrupt,
                "what the store says of its model contradicts itself; another program changed it, or it is damaged",
                path: path)
        }
        return stored
    }

    /// What a store needs to be one of a model's.
    package enum Need: Equatable {
        case nothing
        /// Only what it says of itself, or its indexes.
        case takeOver
        /// Rows have to follow.
        case migration
    }

    /// Compares it with a model.
    ///
    /// - Parameters:
    ///   - model: The model that the store is opened with.
    ///   - path: Where the store is, for errors.
    /// - Returns: What the store needs, and what leads to the model; `nil` where it needs nothing.
    /// - Throws: As ``model(comparedWith:path:)``.
    package func need(of model: ManagedObjectModel, path: String) throws -> (need: Need, mapping: ModelMapping?) {
        if try isSame(as: model) { return (.nothing, nil) }
        let earlier: ManagedObjectModel
        do { earlier = try self.model(comparedWith: model, path: path) } catch let error as PersistenceError {
            // What rows depend on is known all the same; a check says that the rest is damaged, and repairs it.
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
    /// What a store says of its model, by the keys of its metadata.
    package func modelEntries() throws -> [String: String] {
        let isMarked = dialect.marksModelTexts
        var entries = [
            Self.modelKey: try model.json() + (isMarked ? Self.mark : ""),
            Self.modelFileKey: isMarked ? ModelFile.newerText(of: model) : ModelFile.text(of: model),
        ]
        for (entity, hash) in try model.entityHashes() { entries[Self.hashPrefix + entity] = hash }
        return entries
    }

    /// Ends the image of a model that builds which know no views refuse: for them it is another model.
    package static let mark = " "

    /// Returns whether the image of a model says that builds which know no views cannot open the store.
    package static func isMarked(_ image: String) -> Bool { image.hasSuffix(mark) }
}
