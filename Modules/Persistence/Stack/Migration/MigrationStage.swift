import StrataCore

/// A migration step from one model version to the next: inferred changes, and closures for all other changes.
///
/// ```swift
/// MigrationStage.custom(
///     from: "1", to: "2",
///     [
///         EntityTransform("Customer") { old, new, rows in
///             let names = try old.value("name", as: String.self).split(separator: " ", maxSplits: 1)
///             try new.set("firstName", to: String(names.first ?? ""))
///             try new.set("lastName", to: String(names.dropFirst().first ?? ""))
///             return .keep
///         }
///     ])
/// ```
///
/// The closures run in the transaction of the migration, on its thread. If a closure throws an error, the migration
/// rolls back.
///
/// If a store is several versions behind, its stages run one after another, each on the rows that the stage before has
/// written. After each stage, the rules of the later version are checked.
///
/// ## Topics
///
/// ### Creating a stage
///
/// - ``inferred(from:to:drops:)``
/// - ``custom(from:to:drops:_:finish:)``
///
/// ### Properties
///
/// - ``from``
/// - ``to``
/// - ``drops``
public struct MigrationStage: Sendable {
    /// The name of the earlier model version.
    public let from: String
    /// The name of the later model version.
    public let to: String
    /// The parts of the earlier model that the migration may delete even if stores have data for them.
    public let drops: MigrationOptions.Drops
    let transforms: [EntityTransform]
    let finish: (@Sendable (MigratingRows) throws -> Void)?
    var hasCode: Bool { !transforms.isEmpty || finish != nil }

    /// Returns a stage in which all changes are inferred.
    ///
    /// - Parameters:
    ///   - from: The name of the earlier model version.
    ///   - to: The name of the later model version.
    ///   - drops: The parts of the earlier model that the migration may delete even if stores have data for them.
    /// - Returns: The stage.
    public static func inferred(
        from: String, to: String, drops: MigrationOptions.Drops = .nothing
    ) -> MigrationStage {
        MigrationStage(from: from, to: to, drops: drops, transforms: [], finish: nil)
    }

    /// Returns a stage with closures for changes that cannot be inferred.
    ///
    /// The rows of entities without a transform are migrated with inferred changes before the closures run.
    ///
    /// - Parameters:
    ///   - from: The name of the earlier model version.
    ///   - to: The name of the later model version.
    ///   - drops: The parts of the earlier model that the migration may delete even if stores have data for them.
    ///     Attributes of entities with a transform need not be listed.
    ///   - transforms: The transforms for entities of the later model version, at most one for each entity. They run in
    ///     the order in which that model declares the entities.
    ///   - finish: A closure that is called after all rows are written, for changes that concern several rows. It reads
    ///     rows of the earlier version and adds rows of the later version.
    /// - Returns: The stage.
    public static func custom(
        from: String, to: String, drops: MigrationOptions.Drops = .nothing, _ transforms: [EntityTransform],
        finish: (@Sendable (MigratingRows) throws -> Void)? = nil
    ) -> MigrationStage {
        MigrationStage(from: from, to: to, drops: drops, transforms: transforms, finish: finish)
    }
}

/// The result of a transform for one row of the earlier model version.
public enum MigratedRow: Sendable, Hashable {
    /// The later model version contains the row, with the same identifier.
    case keep
    /// The later model version does not contain the row. No other row of the later version may reference it.
    case drop
}

/// A transform of the rows of one entity from the earlier model version of a stage to the later one.
///
/// The closure begins with the values of the attributes that have the same name in both versions, so that it sets only
/// what differs.
///
/// ## Topics
///
/// - ``init(_:_:)``
/// - ``entity``
/// - ``Body``
/// - ``MigratedRow``
public struct EntityTransform: Sendable {
    /// A closure that transforms one row of the earlier model version to a row of the later one.
    ///
    /// - Parameters:
    ///   - old: The row of the earlier version.
    ///   - new: The row of the later version, which the closure changes. At first, each attribute has the value of the
    ///     earlier attribute with the same name, the default, or null.
    ///   - rows: The other rows of both versions.
    /// - Returns: A value that specifies whether the later version contains the row.
    public typealias Body =
        @Sendable (
            _ old: DynamicRecord, _ new: inout DynamicRecord, _ rows: MigratingRows
        ) throws -> MigratedRow

    /// The name of the entity in the later model version.
    public let entity: String
    let body: Body

    /// Creates a transform for the rows of an entity.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity in the later model version. The earlier version must also have the entity,
    ///     possibly under an earlier name.
    ///   - body: A closure that is called for each row of the earlier version, in the order of the identifiers.
    public init(_ entity: String, _ body: @escaping Body) {
        self.entity = entity
        self.body = body
    }
}
