/// The way from the model of a store to another one: one inferred mapping, or the stages of a plan.
package struct MigrationRoute: Sendable {
    /// One part of the way.
    package struct Stage: Sendable {
        /// What leads from the model before to the model after.
        package let mapping: ModelMapping
        /// What may go although the store holds some of it, beside what whoever opens the store lets go.
        package let drops: MigrationOptions.Drops
        /// What makes the rows of later entities, by their names; of others the mapping does.
        package let transforms: [String: RowTransform]
        /// The names of entities with rows that are made one by one: by code of the stage or their record types, or
        /// because values have others in their places.
        package let rowwiseEntities: Set<String>
        /// Called when all rows are made.
        package let finish: (@Sendable (any StageRows) throws -> Void)?

        package init(
            mapping: ModelMapping, drops: MigrationOptions.Drops = .nothing, transforms: [String: RowTransform] = [:],
            finish: (@Sendable (any StageRows) throws -> Void)? = nil
        ) {
            (self.mapping, self.drops, self.transforms, self.finish) = (mapping, drops, transforms, finish)
            rowwiseEntities = mapping.computedEntities.union(mapping.entitiesWithRenamedValues).union(transforms.keys)
        }

        /// Whether code makes rows.
        package var isCustom: Bool { !rowwiseEntities.isEmpty || finish != nil }
    }

    package let stages: [Stage]

    package init(_ stages: [Stage]) { self.stages = stages }

    /// Whether code makes rows on the way.
    package var hasCode: Bool { stages.contains(where: \.isCustom) }
}

extension MigrationOptions {
    /// Returns the stages of the plan, or one stage that is inferred if there is no plan or no stage to run.
    ///
    /// - Parameter mapping: From the store's model to the one that it is opened with.
    /// - Returns: The way.
    /// - Throws: ``PersistenceError`` if the plan does not have the store's model.
    package func route(along mapping: ModelMapping) throws -> MigrationRoute {
        let planned = try route?(mapping.source, mapping.destination)
        guard let planned, !planned.stages.isEmpty else {
            return MigrationRoute([MigrationRoute.Stage(mapping: mapping)])
        }
        return planned
    }
}

/// Begins to make an entity's later rows of earlier ones; what it gives changes the values that the mapping gives, and says whether there is such a row.
package typealias RowTransform =
    @Sendable (_ rows: any StageRows) throws -> (
        _ old: StoredRow, _ values: inout [StoredValue]
    ) throws -> Bool

/// What a stage's code sees: the rows of the earlier model, and those of the later one as far as they are made.
package protocol StageRows: AnyObject {
    /// Reads the earlier rows.
    var old: any StoreReader { get }
    /// Reads the later ones, as far as they are made.
    var new: any StoreReader { get }
    /// Adds a later row, with an identifier that nobody had unless one is given.
    ///
    /// - Throws: ``PersistenceError`` for a row that breaks rules.
    func insert(_ values: [StoredValue], of entity: String, id: Int64?) throws -> Int64
    /// Adds a pair of a many-to-many relationship; one that is there already takes these positions.
    func insert(_ pair: JoinRow, of join: JoinDescription) throws
}
