public import Foundation

/// What an opener wants of a store that was made with another model.
///
/// ```swift
/// var options = MigrationOptions()
/// options.drops = .named(["Customer.fax"])
/// options.backup = URL(fileURLWithPath: "before.sqlite")
/// ```
///
/// What rows do not depend on (rules, defaults, delete rules, the order of properties, titles) is taken over at the next writing opening in any case, and
/// the indexes with it.
public struct MigrationOptions: Sendable {
    /// What is done where rows have to follow.
    public enum Mode: Sendable, Hashable {
        /// The store follows, in one transaction.
        case migrate
        /// The store is not opened: ``PersistenceError/Code/incompatibleModel``.
        case refuse
    }

    /// Of what the later model does not have, what may go although the store holds some of it.
    public enum Drops: Sendable, Hashable {
        /// Nothing: an attribute that has any value, and an entity that has any row, stay, and the store is not opened.
        case nothing
        /// These, each an entity's name or an attribute's or relationship's behind its entity's: `Customer`, `Customer.fax`; names of the earlier model.
        case named(Set<String>)
        /// All of it.
        case everything
    }

    /// What is done where rows have to follow; to migrate unless given.
    public var mode: Mode = .migrate
    /// What may go although the store holds some of it.
    public var drops: Drops = .nothing
    /// Whether rows that break rules which the later model has tightened stay as they are.
    ///
    /// They can be read, are judged when they are written next, and a check of the store lists them. What no two rows may have, and null where it is not allowed,
    /// cannot stay.
    public var keepsRowsThatBreakRules = false
    /// Where a copy of the store is made before anything changes; `nil` is no copy.
    ///
    /// Made by the engine's own backup, of an open store as well. A file that is there is an error.
    public var backup: URL?
    /// Told how far a migration is, on the thread that migrates: at its beginning, every few thousand rows, and at its end.
    public var progress: (@Sendable (MigrationProgress) -> Void)?
    /// Asked every few thousand rows; true takes everything back with `CancellationError`.
    public var isCancelled: @Sendable () -> Bool = { false }

    /// The way from a store's model to the one that it is opened with; `nil` is the inferred one.
    package var route: (@Sendable (_ stored: ManagedObjectModel, _ later: ManagedObjectModel) throws -> MigrationRoute)?
    /// Whether the store follows in the transaction of the first bulk write, and not before: where that fails, it has not followed either.
    ///
    /// For whoever opens a store for that write alone; nothing else can be done with it before.
    package var isDeferred = false
    /// Called once before it is committed; what it throws takes everything back.
    public var willCommit: @Sendable () throws -> Void = {}
    /// Called when it is committed: what fails from then on fails with the store of the later model.
    public var didCommit: @Sendable () -> Void = {}

    /// Migrates, and drops nothing.
    public init() {}
}

/// How far a migration is.
public struct MigrationProgress: Sendable, Hashable {
    /// The rows that were written anew.
    public let rows: Int
    /// How many there are to be.
    public let totalRows: Int

    /// A share of a migration.
    public init(rows: Int, totalRows: Int) {
        self.rows = rows
        self.totalRows = totalRows
    }
}
