/// The route from the model of a store to another one: one inferred mapping, or the stages of a plan.
package struct MigrationRoute: Sendable {
    /// One stage of the route.
    package struct Stage: Sendable {
        /// The mapping from the model before the stage to the model after it.
        package let mapping: ModelMapping
        /// The data that the stage may drop in addition to the drops that the opener of the store permits.
        package let drops: MigrationOptions.Drops
        /// The transforms that create the rows of later entities, by their names; the mapping creates all other rows.
        package let transforms: [String: RowTransform]
        /// The names of entities whose rows are created one by one.
        ///
        /// Code of the stage or the record types create the rows, or values are renamed.
        package let rowwiseEntities: Set<String>
        /// A closure that is called after all rows are created.
        package let finish: (@Sendable (any StageRows) throws -> Void)?

        package init(
            mapping: ModelMapping, drops: MigrationOptions.Drops = .nothing, transforms: [String: RowTransform] = [:],
            finish: (@Sendable (any StageRows) throws -> Void)? = nil
        ) {
            (self.mapping, self.drops, self.transforms, self.finish) = (mapping, drops, transforms, finish)
            rowwiseEntities = mapping.computedEntities.union(mapping.entitiesWithRenamedValues).union(transforms.keys)
        }

        /// A Boolean value that indicates whether code creates rows.
        package var isCustom: Bool { !rowwiseEntities.isEmpty || finish != nil }
    }

    package let stages: [Stage]

    package init(_ stages: [Stage]) { self.stages = stages }

    /// A Boolean value that indicates whether code creates rows in any stage.
    package var hasCode: Bool { stages.contains(where: \.isCustom) }
}

extension MigrationOptions {
    /// Returns the stages of the plan, or one inferred stage if there is no plan or no stage to run.
    ///
    /// - Parameter mapping: The mapping from the store's model to the model that it is opened with.
    /// - Returns: The route.
    /// - Throws: ``PersistenceError`` if the plan does not contain the store's model.
    package func route(along mapping: ModelMapping) throws -> MigrationRoute {
        let planned = try route?(mapping.source, mapping.destination)
        guard let planned, !planned.stages.isEmpty else {
            return MigrationRoute([MigrationRoute.Stage(mapping: mapping)])
        }
        return planned
    }
}

/// A function that prepares the creation of an entity's later rows from earlier ones.
///
/// The closure that it returns changes the values of the mapping, and returns whether the later row exists.
package typealias RowTransform =
    @Sendable (_ rows: any StageRows) throws -> (
        _ old: StoredRow, _ values: inout [StoredValue]
    ) throws -> Bool

/// The rows that a stage's code can access: those of the earlier model, and the later ones created so far.
package protocol StageRows: AnyObject {
    /// A reader of the earlier rows.
    var old: any StoreReader { get }
    /// A reader of the later rows that were created so far.
    var new: any StoreReader { get }
    /// Adds a later row, with an unused identifier if `id` is `nil`.
    ///
    /// - Throws: ``PersistenceError`` for a row that breaks rules.
    func insert(_ values: [StoredValue], of entity: String, id: Int64?) throws -> Int64
    /// Adds a join row of a many-to-many relationship; an existing one gets these positions.
    func insert(_ pair: JoinRow, of join: JoinDescription) throws
}
