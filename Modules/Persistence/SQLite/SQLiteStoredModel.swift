import StrataCore
import StrataModelFiles
import StrataSQL

/// What a store says of the model it was made with, or migrated to.
struct SQLiteStoredModel: Equatable {
    /// What older stores have only.
    let image: String
    /// The whole model as a model file; `nil` in stores that were made before these kept it.
    let file: String?
    /// How often the store followed another model; it is what tells a process with an older one that it cannot go on.
    let generation: Int64

    /// Reads it, inside one transaction or in the way of a database that nobody writes.
    init(on connection: SQLiteConnection, _ layout: SQLLayout, path: String) throws {
        guard let image = try connection.text(layout.metadataSelection, .string(SQLLayout.modelKey)) else {
            throw PersistenceError(.corrupt, "the store does not say with which model it was made", path: path)
        }
        self.image = image
        file = try connection.text(layout.metadataSelection, .string(SQLLayout.modelFileKey))
        generation =
            try connection.text(layout.metadataSelection, .string(SQLLayout.generationKey)).flatMap { Int64($0) } ?? 0
    }

    /// Whether it is a model, in every word; where the store has not all words, in those that it has.
    func isSame(as model: ManagedObjectModel) throws -> Bool {
        if let file { return file == ModelFile.text(of: model) }
        return image == (try model.json())
    }

    /// The model, with rules and defaults where the store has them.
    ///
    /// - Parameters:
    ///   - model: What it will be compared with: the rules of its Swift types are those of the store's, where they have the same names.
    ///   - path: The store's file, for errors.
    func model(comparedWith model: ManagedObjectModel, path: String) throws -> ManagedObjectModel {
        do {
            guard let file else { return try ManagedObjectModel(fromImage: image, filledBy: model) }
            let domains = model.entities.flatMap(\.attributes).compactMap(\.domain)
            return try ModelFile(
                json: Array(file.utf8),
                domains: Dictionary(domains.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first }), isKept: true
            ).model
        } catch {
            throw PersistenceError(.corrupt, "the store's model cannot be read: \(error)", path: path)
        }
    }
}
