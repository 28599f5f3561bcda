import Synchronization

/// What one save writes: whole rows, by entity, each update and deletion with the version it expects; and pairs of objects, by join table.
public struct ChangeSet: Sendable {
    /// A new row.
    public struct Insertion: Sendable {
        /// The identifier.
        public var id: Int64
        /// The values, in the order of the entity's columns.
        public var values: [StoredValue]
        /// The row's first version, at least 1; see ``ChangeSet/freshVersion()``.
        public var version: Int64

        /// A new row.
        public init(id: Int64, values: [StoredValue], version: Int64 = 1) {
            self.id = id
            self.values = values
            self.version = version
        }
    }

    /// A changed row.
    public struct Update: Sendable {
        /// The identifier.
        public var id: Int64
        /// The version the row must still have.
        public var expectedVersion: Int64
        /// All values, changed or not.
        public var values: [StoredValue]
        /// The places of the columns that are written.
        public var changedColumns: [Int]

        /// A changed row.
        public init(id: Int64, expectedVersion: Int64, values: [StoredValue], changedColumns: [Int]) {
            self.id = id
            self.expectedVersion = expectedVersion
            self.values = values
            self.changedColumns = changedColumns
        }
    }

    /// A row to delete.
    public struct Deletion: Sendable {
        /// The identifier.
        public var id: Int64
        /// The version the row must still have, if it is there.
        public var expectedVersion: Int64
        /// Whether a row that is gone already is no conflict; otherwise it is one without a stored row.
        public var isGoneAllowed: Bool

        /// A row to delete.
        public init(id: Int64, expectedVersion: Int64, isGoneAllowed: Bool = true) {
            self.id = id
            self.expectedVersion = expectedVersion
            self.isGoneAllowed = isGoneAllowed
        }
    }

    /// The changes of one entity.
    public struct EntityChanges: Sendable {
        /// New rows, in the order in which they were inserted.
        public var insertions: [Insertion] = []
        /// Changed rows.
        public var updates: [Update] = []
        /// Rows to delete.
        public var deletions: [Deletion] = []

        /// No changes.
        public init() {}

        /// Whether there is nothing to write.
        public var isEmpty: Bool { insertions.isEmpty && updates.isEmpty && deletions.isEmpty }
    }

    /// A first version for new rows: any number that the rows of an earlier save are unlikely to have.
    ///
    /// Were it always 1, a row that was deleted and inserted again under its old identifier would pass for the row that somebody read before,
    /// and be written over without a conflict. 24 bits keep the column small: once in 16 million such cases goes unseen.
    public static func freshVersion() -> Int64 {
        // A walk through mixed numbers from a random beginning: the system's generator is a system call, a seventh of an insert's time.
        let mixed = StableHash.mixed(versions.wrappingAdd(0x9E37_79B9_7F4A_7C15, ordering: .relaxed).newValue)
        return Int64(mixed >> 40) % 0xFF_FFFF + 1
    }

    private static let versions = Atomic<UInt64>(UInt64.random(in: 0...UInt64.max))

    /// The changes by entity name.
    public var entities: [String: EntityChanges] = [:]
    /// The changes of many-to-many relationships, by the name of their ``JoinDescription``.
    ///
    /// They raise no row's version and never conflict. A deleted row's pairs go with it and need not be listed.
    public var joins: [String: JoinChanges] = [:]

    /// No changes.
    public init() {}

    /// The changes of one entity; empty where there are none.
    public subscript(_ entity: String) -> EntityChanges {
        get { entities[entity] ?? EntityChanges() }
        set { entities[entity] = newValue.isEmpty ? nil : newValue }
    }

    /// Whether there is nothing to write.
    public var isEmpty: Bool { entities.isEmpty && joins.values.allSatisfy(\.isEmpty) }
}

/// A row whose expected version a store did not find.
public struct StoreConflict: Sendable {
    /// The entity's name.
    public var entity: String
    /// The row's identifier.
    public var id: Int64
    /// The row as it is stored now; `nil` when it was deleted.
    public var stored: StoredRow?

    /// A conflict.
    public init(entity: String, id: Int64, stored: StoredRow?) {
        self.entity = entity
        self.id = id
        self.stored = stored
    }
}
