package import StrataCore

/// The route of a migration from a stored model to a later model: one inferred mapping, or the stages of a plan.
///
/// A store runs the stages one after the other, in one transaction. If a stage has code, its rows pass through Swift;
/// otherwise the store can create the later rows with its own means, such as SQL statements. A plan creates a route
/// that begins with the version of the store and ends with the newest version.
package struct MigrationRoute: Sendable {
    /// One stage of a migration route.
    package struct Stage: Sendable {
        /// The mapping from the model before the stage to the model after it.
        package let mapping: ModelMapping
        /// The data that the stage may delete, in addition to that which the options of opening the store permit.
        package let drops: MigrationOptions.Drops
        /// The transforms that create the rows of later entities, by the entity's name; the mapping creates all other
        /// rows.
        package let transforms: [String: RowTransform]
        /// The names of the later entities whose rows are created one by one in Swift.
        ///
        /// These are entities with a transform, with record types that compute values, or with renamed values.
        package let rowwiseEntities: Set<String>
        /// A closure that is called after the stage has created all rows; `nil` if there is none.
        package let finish: (@Sendable (any StageRows) throws -> Void)?

        package init(
            mapping: ModelMapping, drops: MigrationOptions.Drops = .nothing, transforms: [String: RowTransform] = [:],
            finish: (@Sendable (any StageRows) throws -> Void)? = nil
        ) {
            (self.mapping, self.drops, self.transforms, self.finish) = (mapping, drops, transforms, finish)
            rowwiseEntities = mapping.computedEntities.union(mapping.entitiesWithRenamedValues).union(transforms.keys)
        }

        /// A Boolean value that indicates whether Swift code creates or changes rows in the stage.
        package var isCustom: Bool { !rowwiseEntities.isEmpty || finish != nil }
    }

    package let stages: [Stage]

    package init(_ stages: [Stage]) { self.stages = stages }

    /// A Boolean value that indicates whether Swift code creates or changes rows in any stage of the route.
    package var hasCode: Bool { stages.contains(where: \.isCustom) }
}

/// A plan whose closure returns the route from a stored model to a later one.
private struct RoutePlanning: MigrationPlanning {
    let route: @Sendable (_ stored: ManagedObjectModel, _ later: ManagedObjectModel) throws -> MigrationRoute
}

extension MigrationOptions {
    /// A closure that returns the migration's route from the stored model to the later model.
    ///
    /// If it is `nil`, the route is one inferred mapping.
    package var route: (@Sendable (_ stored: ManagedObjectModel, _ later: ManagedObjectModel) throws -> MigrationRoute)?
    {
        get { (planning as? RoutePlanning)?.route }
        set { planning = newValue.map(RoutePlanning.init) }
    }

    /// Returns the stages of the migration plan, or one inferred stage if there is no plan or no stage to run.
    ///
    /// - Parameter mapping: The mapping from the store's model to the model with which it is opened.
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

/// A function that prepares the creation of an entity's later rows from its earlier rows.
///
/// It returns a closure that is called for each row. That closure can change the values that the mapping has created,
/// and returns whether the later row is to exist.
package typealias RowTransform =
    @Sendable (_ rows: any StageRows) throws -> (
        _ old: StoredRow, _ values: inout [StoredValue]
    ) throws -> Bool

/// The rows that the code of a stage can access: all earlier rows, and the later rows that were created so far.
///
/// Only one thread uses it, and only while the stage runs. The later rows are not yet checked for references and
/// counts.
package protocol StageRows: AnyObject {
    /// A reader of the rows in the earlier model.
    var old: any StoreReader { get }
    /// A reader of the rows in the later model that were created so far.
    var new: any StoreReader { get }
    /// Inserts a row of an entity of the later model and returns its identifier; if `id` is `nil`, an unused one is
    /// assigned.
    ///
    /// The values are converted to their stored form, and computed values are replaced.
    ///
    /// - Throws: ``PersistenceError`` if the row breaks rules.
    func insert(_ values: [StoredValue], of entity: String, id: Int64?) throws -> Int64
    /// Inserts a join row of a many-to-many relationship; if it exists already, it gets the new positions.
    func insert(_ pair: JoinRow, of join: JoinDescription) throws
}
