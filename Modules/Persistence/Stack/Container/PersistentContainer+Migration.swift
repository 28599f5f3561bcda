import StrataCore
import StrataStoreKit

extension PersistentContainer {
    /// Returns a preview of the migration that would run if a container with a model opened a store.
    ///
    /// The preview contains the migration steps, the number of rows, the data that would be deleted, and the rows that
    /// break rules of the model.
    ///
    /// ```swift
    /// let preview = try PersistentContainer.canMigrate(model: model, .sqlite(at: url))
    /// for drop in preview.drops { print("would lose \(drop)") }
    /// ```
    ///
    /// The method only reads the store, which other processes may use at the same time.
    ///
    /// - Parameters:
    ///   - model: The model to which the store would be migrated.
    ///   - description: The store, which must exist.
    /// - Returns: The preview, which has no steps if the store already has the model.
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    /// - Complexity: O(*n*) in the number of rows whose values have new rules or types; otherwise the time that the
    ///   store needs to count rows.
    public static func canMigrate(
        model: ManagedObjectModel, _ description: PersistentStoreDescription
    ) throws -> MigrationPreview {
        try description.provider.previewMigration(to: model, options: description.options)
    }
}
