public import Foundation

/// The options for opening a store that was created with another model.
///
/// ```swift
/// var options = MigrationOptions()
/// options.drops = .named(["Customer.fax"])
/// options.backup = URL(fileURLWithPath: "before.sqlite")
/// ```
///
/// The store adopts parts of the model that rows do not depend on at the next opening for writing, regardless of these
/// options. These parts are rules, defaults, delete rules, the order of properties, titles and indexes.
public struct MigrationOptions: Sendable {
    /// The action if rows must be migrated.
    public enum Mode: Sendable, Hashable {
        /// The store is migrated in one transaction.
        case migrate
        /// The store is not opened: ``PersistenceError/Code/incompatibleModel``.
        case refuse
    }

    /// The data that may be dropped although the store contains it, because the later model lacks it.
    public enum Drops: Sendable, Hashable {
        /// Nothing may be dropped.
        ///
        /// If the later model lacks an attribute that has any value, or an entity that has any row, the store is not
        /// opened.
        case nothing
        /// The named data, by names of the earlier model: `Customer` or `Customer.fax`.
        ///
        /// Each name is an entity's name, or an entity's name followed by an attribute or relationship.
        case named(Set<String>)
        /// All data that the later model lacks.
        case everything
    }

    /// The action if rows must be migrated (default: migrate).
    public var mode: Mode = .migrate
    /// The data that may be dropped although the store contains it.
    public var drops: Drops = .nothing
    /// A Boolean value that indicates whether rows that break tightened rules of the later model stay unchanged.
    ///
    /// Such rows can be read, they are validated when they are written next, and a check of the store lists them.
    /// Duplicate values of a unique key, and null where it is not permitted, cannot stay.
    public var keepsRowsThatBreakRules = false
    /// The location of a copy of the store that is made before anything changes; `nil` is no copy.
    ///
    /// The engine's own backup makes the copy, also of an open store. An existing file is an error.
    public var backup: URL?
    /// A closure that receives the progress of a migration, on the thread that migrates.
    ///
    /// It is called at the beginning, every few thousand rows, and at the end.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// A closure that is called every few thousand rows and returns whether to cancel the migration.
    ///
    /// If it returns `true`, the migration throws `CancellationError` and everything is rolled back.
    public var isCancelled: @Sendable () -> Bool = { false }

    /// A closure that returns the route from a store's model to the opened one; `nil` selects the inferred route.
    package var route: (@Sendable (_ stored: ManagedObjectModel, _ later: ManagedObjectModel) throws -> MigrationRoute)?
    /// A Boolean value that indicates whether the store is migrated in the transaction of the first bulk write.
    ///
    /// If the bulk write fails, the store is not migrated either. Only a caller that opens a store for that write alone
    /// sets the option; nothing else can be done with the store before the write.
    package var isDeferred = false
    /// A closure that is called once before the commit; if it throws, everything is rolled back.
    public var willCommit: @Sendable () throws -> Void = {}
    /// A closure that is called after the commit; an error from then on leaves a store of the later model.
    public var didCommit: @Sendable () -> Void = {}

    /// Creates options that migrate and drop nothing.
    public init() {}
}

/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
    /// The count of rows that were rewritten.
    public let rows: Int
    /// The count of rows to rewrite in total.
    public let totalRows: Int

    /// Creates a progress value.
    public init(rows: Int, totalRows: Int) {
        self.rows = rows
        self.totalRows = totalRows
    }
}
