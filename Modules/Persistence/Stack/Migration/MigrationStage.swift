import StrataCore

/// A migration step from one version of a model to the next: inferred changes and code for all other changes.
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
/// The code runs in the transaction of the migration, on the thread of the migration. If the code throws an error, the
/// migration rolls back.
public struct MigrationStage: Sendable {
    /// The name of the earlier version.
    public let from: String
    /// The name of the later version.
    public let to: String
    /// The parts of the model that the migration may delete although stores have data for them.
    public let drops: MigrationOptions.Drops
    let transforms: [EntityTransform]
    let finish: (@Sendable (MigratingRows) throws -> Void)?
    var hasCode: Bool { !transforms.isEmpty || finish != nil }

    /// Returns an inferred stage.
    ///
    /// - Parameters:
    ///   - from: The name of the earlier version.
    ///   - to: The name of the later version.
    ///   - drops: The parts of the model that the migration may delete although stores have data for them.
    /// - Returns: The stage.
    public static func inferred(
        from: String, to: String, drops: MigrationOptions.Drops = .nothing
    ) -> MigrationStage {
        MigrationStage(from: from, to: to, drops: drops, transforms: [], finish: nil)
    }

    /// Returns a stage with code.
    ///
    /// The rows of entities without a transform are inferred before the code runs.
    ///
    /// - Parameters:
    ///   - from: The name of the earlier version.
    ///   - to: The name of the later version.
    ///   - drops: The parts of the model that the migration may delete although stores have data for them. The
    ///     attributes of entities with a transform need not be named.
    ///   - transforms: The transforms for entities of the later version, at most one for each entity. They run in the
    ///     order of the entities in that model.
    ///   - finish: A closure for work on several rows, which is called when all rows are written. It reads the earlier
    ///     rows and adds later rows.
    /// - Returns: The stage.
    public static func custom(
        from: String, to: String, drops: MigrationOptions.Drops = .nothing, _ transforms: [EntityTransform],
        finish: (@Sendable (MigratingRows) throws -> Void)? = nil
    ) -> MigrationStage {
        MigrationStage(from: from, to: to, drops: drops, transforms: transforms, finish: finish)
    }
}

/// The result of the transform of an earlier row.
public enum MigratedRow: Sendable, Hashable {
    /// The later version has the row, with the same identifier.
    case keep
    /// The later version does not have the row. No other row of the later version may reference it.
    case drop
}

/// A transform of the rows of one entity from an earlier version to a later version.
public struct EntityTransform: Sendable {
    /// A closure that creates a later row from an earlier row.
    ///
    /// - Parameters:
    ///   - old: The earlier row.
    ///   - new: The later row with its inferred values: the values of attributes of the same name, the defaults, or
    ///     null.
    ///   - rows: All other rows.
    /// - Returns: A value that indicates whether the later version has the row.
    public typealias Body =
        @Sendable (
            _ old: DynamicRecord, _ new: inout DynamicRecord, _ rows: MigratingRows
        ) throws -> MigratedRow

    /// The name of the entity in the later version.
    public let entity: String
    let body: Body

    /// Creates a transform for an entity's rows.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity in the later version. The earlier version also has this entity, possibly
    ///     under a different name.
    ///   - body: A closure that is called for each earlier row, by identifier.
    public init(_ entity: String, _ body: @escaping Body) {
        self.entity = entity
        self.body = body
    }
}
