extension MigrationRoute {
    /// What would happen on the way, as far as it can be told before a stage's code has made rows: all steps, and what the store's rows have to say to the
    /// first stage.
    ///
    /// - Parameters:
    ///   - reader: Has the rows as the store's model knows them.
    ///   - isCancelled: Asked now and then.
    /// - Returns: What would happen; what a stage lets go is no drop.
    /// - Throws: ``PersistenceError`` where the store cannot be read.
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
