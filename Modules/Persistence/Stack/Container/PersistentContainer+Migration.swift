import StrataCore

extension PersistentContainer {
    /// Returns a preview of the migration that creating a container with a model would perform.
    ///
    /// The preview contains the steps, the number of rows, the data that would be deleted, and the rows that break
    /// rules.
    ///
    /// ```swift
    /// let preview = try PersistentContainer.canMigrate(model: model, .sqlite(at: url))
    /// for drop in preview.drops { print("would lose \(drop)") }
    /// ```
    ///
    /// The store is only read, and may be in use.
    ///
    /// - Parameters:
    ///   - model: The model.
    ///   - description: The store, which must exist.
    /// - Returns: The preview, which has no steps if the store already has the model.
    /// - Throws: ``PersistenceError`` with the reason if the store cannot be read.
    /// - Complexity: O(*n*) in the number of rows whose values have new rules or types; otherwise the time that the
    ///   store needs to count.
    public static func canMigrate(
        model: ManagedObjectModel, _ description: PersistentStoreDescription
    ) throws -> MigrationPreview {
        try description.provider.previewMigration(to: model, options: description.options)
    }
}
