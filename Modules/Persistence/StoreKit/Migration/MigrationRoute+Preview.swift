package import StrataCore

extension MigrationRoute {
    /// Returns a preview of the route: the steps of all stages, and a check of the store's rows for the first stage.
    ///
    /// Later stages are not checked, because their rows do not exist before the first stage has run.
    ///
    /// - Parameters:
    ///   - reader: The reader of the rows in the store's current model.
    ///   - isCancelled: A closure that is called periodically; if it returns `true`, the check is canceled.
    /// - Returns: The preview; it does not report data that a stage permits to drop.
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
