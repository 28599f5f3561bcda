import StrataCore

/// The way from one version of a model to the next: what can be inferred, and code for the rest.
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
/// The code runs inside the migration's transaction, on the thread that migrates: what it throws takes everything back.
public struct MigrationStage: Sendable {
    /// The version that it begins with.
    public let from: String
    /// The version that it ends with.
    public let to: String
    /// What may go although stores hold some of it.
    public let drops: MigrationOptions.Drops
    let transforms: [EntityTransform]
    let finish: (@Sendable (MigratingRows) throws -> Void)?
    var hasCode: Bool { !transforms.isEmpty || finish != nil }

    /// A stage that is inferred.
    ///
    /// - Parameters:
    ///   - from: The version that it begins with.
    ///   - to: The version that it ends with.
    ///   - drops: What may go although stores hold some of it.
    /// - Returns: The stage.
    public static func inferred(
        from: String, to: String, drops: MigrationOptions.Drops = .nothing
    ) -> MigrationStage {
        MigrationStage(from: from, to: to, drops: drops, transforms: [], finish: nil)
    }

    /// A stage with code.
    ///
    /// Rows of entities without a transform come about as they are inferred, before the code runs.
    ///
    /// - Parameters:
    ///   - from: The version that it begins with.
    ///   - to: The version that it ends with.
    ///   - drops: What may go although stores hold some of it; attributes of entities with a transform need not be named.
    ///   - transforms: What makes the rows of entities of the later version, one each at most, in the order of that model's entities.
    ///   - finish: Called when all rows are made, for what is about several: it reads the earlier rows and adds later ones.
    /// - Returns: The stage.
    public static func custom(
        from: String, to: String, drops: MigrationOptions.Drops = .nothing, _ transforms: [EntityTransform],
        finish: (@Sendable (MigratingRows) throws -> Void)? = nil
    ) -> MigrationStage {
        MigrationStage(from: from, to: to, drops: drops, transforms: transforms, finish: finish)
    }
}

/// What becomes of an earlier row.
public enum MigratedRow: Sendable, Hashable {
    /// It is a row of the later version, with the same identifier.
    case keep
    /// It is none; whoever refers to it must not any more.
    case drop
}

/// Makes the rows of one entity of a later version of those of the earlier one.
public struct EntityTransform: Sendable {
    /// Makes a later row of an earlier one.
    ///
    /// - Parameters:
    ///   - old: The earlier row.
    ///   - new: The later one, with what is inferred: values of attributes of the same name, defaults, null where there is neither.
    ///   - rows: All other rows.
    /// - Returns: Whether there is such a row.
    public typealias Body =
        @Sendable (
            _ old: DynamicRecord, _ new: inout DynamicRecord, _ rows: MigratingRows
        ) throws -> MigratedRow

    /// The entity, by its name in the later version.
    public let entity: String
    let body: Body

    /// Says how an entity's rows are made.
    ///
    /// - Parameters:
    ///   - entity: The entity's name in the later version; it is one that the earlier version has too, whatever it was called.
    ///   - body: Called for each earlier row, by identifier.
    public init(_ entity: String, _ body: @escaping Body) {
        self.entity = entity
        self.body = body
    }
}
