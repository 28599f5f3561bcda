public import StrataCore
import Synchronization

/// The changes that one save writes: rows by entity, and join rows by join table.
///
/// ```swift
/// changes["Team"].insertions = [1, 3].map { .init(id: $0, values: [.string("")]) }
/// changes["Player"].insertions = [.init(id: 1, values: [.integer(1)])]
/// _ = try container.coordinator.store.save(changes)
/// ```
///
/// Each update and each deletion contains the version that its row is expected to have in the store. The store compares
/// it with the stored version, so that no save overwrites a change that its caller has not seen.
///
/// A change set is a value that a context creates from its changed objects; it has already been validated. The order of
/// entities and of rows has no meaning: uniqueness and references are checked in the state after all changes.
///
/// ## Topics
///
/// ### Creating a change set
///
/// - ``init()``
/// - ``freshVersion()``
///
/// ### Rows
///
/// - ``subscript(_:)``
/// - ``entities``
/// - ``EntityChanges``
/// - ``Insertion``
/// - ``Update``
/// - ``Deletion``
///
/// ### Join rows
///
/// - ``joins``
/// - ``JoinChanges``
///
/// ### Inspecting
///
/// - ``isEmpty``
public struct ChangeSet: Sendable {
    /// A row that a save inserts.
    public struct Insertion: Sendable {
        /// The identifier of the new row.
        public var id: Int64
        /// The values of the new row, in the order of the entity's columns.
        public var values: [StoredValue]
        /// The initial version of the row, at least 1; see ``ChangeSet/freshVersion()``.
        public var version: Int64

        /// Creates the insertion of a row.
        ///
        /// - Parameters:
        ///   - id: The identifier, which the store must have reserved or which no row has.
        ///   - values: One value for each column of the entity, in its stored form.
        ///   - version: The initial version, at least 1.
        public init(id: Int64, values: [StoredValue], version: Int64 = 1) {
            self.id = id
            self.values = values
            self.version = version
        }
    }

    /// A row that a save updates.
    public struct Update: Sendable {
        /// The identifier of the row.
        public var id: Int64
        /// The version that the stored row must have; another version is a conflict.
        public var expectedVersion: Int64
        /// All values that the row has after the update, changed or not, in the order of the entity's columns.
        public var values: [StoredValue]
        /// The indexes of the columns that the update writes.
        ///
        /// A store may use the list to check only the unique keys and references that changed.
        public var changedColumns: [Int]

        /// Creates the update of a row.
        ///
        /// - Parameters:
        ///   - id: The identifier of the row.
        ///   - expectedVersion: The version that the caller has read.
        ///   - values: One value for each column of the entity, changed or not, in its stored form.
        ///   - changedColumns: The indexes of the columns to write; the other columns keep their stored values.
        public init(id: Int64, expectedVersion: Int64, values: [StoredValue], changedColumns: [Int]) {
            self.id = id
            self.expectedVersion = expectedVersion
            self.values = values
            self.changedColumns = changedColumns
        }
    }

    /// A row that a save deletes.
    public struct Deletion: Sendable {
        /// The identifier of the row.
        public var id: Int64
        /// The version that the stored row must have if it exists; another version is a conflict.
        public var expectedVersion: Int64
        /// A Boolean value that indicates whether the row may already be missing in the store.
        ///
        /// If it is `false`, a missing row is a conflict, whose ``StoreConflict/stored`` is `nil`.
        public var allowsMissingRow: Bool

        /// Creates the deletion of a row.
        ///
        /// - Parameters:
        ///   - id: The identifier of the row.
        ///   - expectedVersion: The version that the caller has read.
        ///   - allowsMissingRow: A Boolean value that indicates whether a row that another writer has deleted is no
        ///     conflict.
        public init(id: Int64, expectedVersion: Int64, allowsMissingRow: Bool = true) {
            self.id = id
            self.expectedVersion = expectedVersion
            self.allowsMissingRow = allowsMissingRow
        }
    }

    /// The changes of one save to the rows of one entity.
    public struct EntityChanges: Sendable {
        /// The rows to insert, in the order in which they were inserted into the context.
        public var insertions: [Insertion] = []
        /// The rows to update.
        public var updates: [Update] = []
        /// The rows to delete.
        public var deletions: [Deletion] = []

        /// Creates changes that contain no rows.
        public init() {}

        /// A Boolean value that indicates whether no rows of the entity are changed.
        public var isEmpty: Bool { insertions.isEmpty && updates.isEmpty && deletions.isEmpty }
    }

    /// Returns a random initial version for new rows, which rows of an earlier save are unlikely to have.
    ///
    /// If the initial version were always 1, a row that was deleted and inserted again under the same identifier could
    /// have the version that a reader has read before. That reader would overwrite the row without a conflict. The
    /// version has 24 bits to keep the column small: one in 16 million such cases is not detected.
    public static func freshVersion() -> Int64 {
        // The versions are a sequence of mixed numbers from a random start. The system's generator is a system call,
        // which took a seventh of an insert's time.
        let mixed = StableHash.mixed(versions.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue)
        return Int64(mixed >> 40) % 0xFF_FFFF + 1
    }

    private static let versions = Atomic<UInt64>(UInt64.random(in: 0...UInt64.max))

    /// The changes to rows, by the entity's name.
    public var entities: [String: EntityChanges] = [:]
    /// The changes to many-to-many relationships, by the name of their ``JoinDescription``.
    ///
    /// They do not raise the version of any row and never conflict. If a row is deleted, its join rows are deleted too
    /// and need not be listed.
    public var joins: [String: JoinChanges] = [:]

    /// Creates a change set that contains no changes.
    public init() {}

    /// The changes to the rows of the entity with a name; empty if there are none.
    public subscript(_ entity: String) -> EntityChanges {
        get { entities[entity] ?? EntityChanges() }
        set { entities[entity] = newValue.isEmpty ? nil : newValue }
    }

    /// A Boolean value that indicates whether the change set contains no changes.
    public var isEmpty: Bool { entities.isEmpty && joins.values.allSatisfy(\.isEmpty) }
}

/// A conflict of a save: a row whose stored version differs from the expected version.
///
/// A context compares the stored row with its own values, and throws or merges, as its merge policy specifies.
public struct StoreConflict: Sendable {
    /// The name of the row's entity.
    public var entity: String
    /// The row's identifier.
    public var id: Int64
    /// The row as it is stored now; `nil` if another writer deleted it.
    public var stored: StoredRow?

    /// Creates a conflict.
    ///
    /// - Parameters:
    ///   - entity: The name of the row's entity.
    ///   - id: The row's identifier.
    ///   - stored: The row as it is stored now, with its current version; `nil` if it does not exist.
    public init(entity: String, id: Int64, stored: StoredRow?) {
        self.entity = entity
        self.id = id
        self.stored = stored
    }
}
