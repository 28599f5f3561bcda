import StrataCore

extension PersistentContainer {
    /// What would happen to a store if a container were made with a model: which steps, how many rows, what would be dropped, which rows break rules.
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
    ///   - description: The store, which has to be there.
    /// - Returns: What would happen; no step where the store is the model's.
    /// - Throws: ``PersistenceError`` that says why the store cannot be looked at.
    /// - Complexity: O(*n*) in the rows whose values have new rules or types; otherwise what the store takes to count.
    public static func canMigrate(
        model: ManagedObjectModel, _ description: PersistentStoreDescription
    ) throws -> MigrationPreview {
        try description.provider.previewMigration(to: model, options: description.options)
    }
}
