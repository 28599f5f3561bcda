extension MigrationRoute {
    /// Returns a preview of the route: the steps of all stages, and the check of the store's rows for the first stage.
    ///
    /// Later stages cannot be checked before the code of the first stage has created rows.
    ///
    /// - Parameters:
    ///   - reader: The reader of the rows in the store's model.
    ///   - isCancelled: A closure that is called periodically; the operation stops if it returns `true`.
    /// - Returns: The preview; data that a stage permits to be deleted is not reported as a drop.
    /// - Throws: ``PersistenceError`` if the store cannot be read.
    package func preview(
        reader: any StoreReader, isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> MigrationPreview {
        guard let first = stages.first else { return MigrationPreview(steps: []) }
        let preview = try MigrationCheck(
            first.mapping, reader: reader, made: Set(first.transforms.keys), isCancelled: isCancelled
        ).preview()
        return MigrationPreview(
            steps: stages.flatMap(\.mapping.steps), rowCount: preview.rowCount,
            drops: preview.drops.filter { !first.drops.allow($0) }, violations: preview.violations,
            obstacles: preview.obstacles, hints: preview.hints)
    }
}
