public import Foundation

/// The options for opening a store that was created with another model.
///
/// ```swift
/// var options = MigrationOptions()
/// options.drops = .named(["Customer.fax"])
/// options.backup = URL(fileURLWithPath: "before.sqlite")
/// ```
///
/// If only parts of the model have changed on which stored rows do not depend, the store adopts them when it is next
/// opened for writing, regardless of these options. These parts are rules, defaults, delete rules, the order of
/// properties, titles and indexes.
///
/// All other changes are a migration: the store is migrated in one transaction while it is opened. By default, a
/// migration that loses no data runs automatically, and one that would lose data throws
/// ``PersistenceError/Code/dataLoss``. If the migration fails, the store is unchanged. The calling thread is blocked
/// for as long as it takes to rewrite the rows of the changed entities; a new attribute, and a new name of an entity or
/// attribute, need no rewriting.
///
/// Use ``MigrationPreview`` to find out what a migration would do, before a new release is installed.
///
/// ## Topics
///
/// ### Creating options
///
/// - ``init()``
///
/// ### Permissions
///
/// - ``mode``
/// - ``Mode``
/// - ``drops``
/// - ``Drops``
/// - ``keepsRowsThatBreakRules``
///
/// ### Safety
///
/// - ``backup``
/// - ``willCommit``
/// - ``didCommit``
///
/// ### Progress and cancellation
///
/// - ``progress``
/// - ``isCancelled``
/// - ``MigrationProgress``
public struct MigrationOptions: Sendable {
    /// The action for a store whose rows must be migrated to the later model.
    public enum Mode: Sendable, Hashable {
        /// The store is migrated in one transaction.
        case migrate
        /// The store is not opened: an error with code ``PersistenceError/Code/incompatibleModel`` is thrown.
        case refuse
    }

    /// The stored data that a migration may delete because the later model lacks it.
    public enum Drops: Sendable, Hashable {
        /// No stored data may be deleted.
        ///
        /// If the later model lacks an attribute that has any stored value, or an entity that has any stored row, the
        /// store is not opened.
        case nothing
        /// The stored data with these names in the earlier model may be deleted: `Customer` or `Customer.fax`.
        ///
        /// Each name is an entity's name, or an entity's name followed by a point and an attribute or relationship.
        case named(Set<String>)
        /// All stored data that the later model lacks may be deleted.
        case everything
    }

    /// The action for a store whose rows must be migrated (default: the store is migrated).
    ///
    /// Refuse a migration in programs that share a store with others and must not change it, such as reports. A change
    /// that needs no migration of rows is not refused.
    public var mode: Mode = .migrate
    /// The stored data that the migration may delete because the later model lacks it (default: nothing).
    ///
    /// A name that the migration does not drop is ignored, so that the options can remain in the program. Data that the
    /// options do not name makes the opening fail with ``PersistenceError/Code/dataLoss``; the error lists all of it.
    /// Attributes in which all values are null, and entities without rows, need no permission.
    public var drops: Drops = .nothing
    /// A Boolean value that indicates whether rows that break new rules of the later model are retained unchanged.
    ///
    /// Such rows can be read, they are validated when they are next written, and a check of the store reports them.
    /// Rows with duplicate values of a unique key, or with null in a column that forbids it, are never retained.
    public var keepsRowsThatBreakRules = false
    /// The location of a backup of the store, made before anything is changed; `nil` if no backup is made.
    ///
    /// The database engine makes the backup, even of a store that is open elsewhere. If a file exists at the location,
    /// the store is not opened.
    public var backup: URL?
    /// A closure that receives the progress of the migration, on the thread that migrates; `nil` if it is not reported.
    ///
    /// It is called at the beginning, every few thousand rows, and at the end.
    ///
    /// The closure must return quickly, because the migration waits for it.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// A closure that returns whether to cancel the migration, called every few thousand rows.
    ///
    /// If it returns `true`, the migration is rolled back and throws `CancellationError`.
    public var isCancelled: @Sendable () -> Bool = { false }

    /// The plan that determines the migration's route; if it is `nil`, the route is one inferred mapping.
    package var planning: (any MigrationPlanning)?
    /// A Boolean value that indicates whether the store is migrated in the transaction of the first bulk write.
    ///
    /// If the bulk write fails, the migration is rolled back with it. The option is only for a caller that opens a
    /// store for this bulk write alone, because the store cannot be used otherwise before it.
    package var isDeferred = false
    /// A closure that is called once before the migration's commit; if it throws an error, the migration is rolled
    /// back.
    public var willCommit: @Sendable () throws -> Void = {}
    /// A closure that is called after the migration's commit; if opening fails later, the store remains migrated.
    public var didCommit: @Sendable () -> Void = {}

    /// Creates options that permit a migration but no deletion of stored data.
    public init() {}
}

/// A plan that determines the route of a migration; StrataStoreKit, which defines routes, has its only conforming type.
package protocol MigrationPlanning: Sendable {}

/// The progress of a migration.
public struct MigrationProgress: Sendable, Hashable {
    /// The count of rows that the migration has rewritten so far.
    public let rows: Int
    /// The total count of rows that the migration rewrites.
    public let totalRows: Int

    /// Creates a progress value from the count of rewritten rows and the total count.
    public init(rows: Int, totalRows: Int) {
        self.rows = rows
        self.totalRows = totalRows
    }
}
