public import Foundation

/// A description of a store for people and logs.
public struct StoreInformation: Sendable {
    /// The kind: `SQLite`, `in-memory`, or the name of another store.
    public var kind: String
    /// The identifier that the store got when it was created.
    public var identifier: UUID
    /// The version of the store's format; `nil` for a store without one.
    public var formatVersion: Int?
    /// The size on disk in bytes; `nil` for a store without a file.
    public var byteCount: Int64?
    /// The name and version of the database library, such as `SQLite 3.40.1`; `nil` without one.
    public var library: String?
    /// The risks of this store on this machine, one sentence each, without a period.
    public var warnings: [String] = []
    /// The state of the write-ahead log; `nil` for a store without one.
    public var log: StoreLog?

    /// Creates a description of a store.
    public init(kind: String, identifier: UUID, formatVersion: Int? = nil, byteCount: Int64? = nil) {
        self.kind = kind
        self.identifier = identifier
        self.formatVersion = formatVersion
        self.byteCount = byteCount
    }
}

/// The write-ahead log of a store: commits that a checkpoint has not yet moved into the store's file.
///
/// ```swift
/// let log = try container.coordinator.store.information().log
/// if let reader = log?.reader, reader.age > .seconds(60) {
///     print("process", reader.processID ?? 0, "holds back", log?.unmovedByteCount ?? 0, "bytes")
/// }
/// ```
public struct StoreLog: Sendable, Hashable {
    /// The size of the log's file in bytes; a restarted log keeps it.
    public var byteCount: Int64
    /// The bytes of the log that are not yet in the store's file.
    public var unmovedByteCount: Int64 = 0
    /// The oldest reader that holds the log back; `nil` if there is none.
    public var reader: Reader?
    /// The checkpoints that this store object ran.
    public var checkpoints = Checkpoints()

    /// Creates a description of a log.
    public init(byteCount: Int64) {
        self.byteCount = byteCount
    }

    /// A transaction that reads an older state, and thereby prevents the restart of the log, which grows.
    public struct Reader: Sendable, Hashable {
        /// The identifier of the reader's process; `nil` if the system does not report it.
        public var processID: Int32?
        /// The name of the reader's program; `nil` if the system does not report it.
        public var processName: String?
        /// The time since the last checkpoint wrote to the store's file, or since the process started.
        ///
        /// The shorter of the two counts. A log does not record the time at which a transaction began.
        public var age: Duration

        /// Creates a description of a reader.
        public init(processID: Int32?, processName: String?, age: Duration) {
            self.processID = processID
            self.processName = processName
            self.age = age
        }
    }

    /// The counts of checkpoints.
    public struct Checkpoints: Sendable, Hashable {
        /// The count of checkpoints after which the log was restarted.
        public var completed = 0
        /// The count of checkpoints that readers or writers delayed for longer than 0.2 s.
        public var heldBack = 0
        /// The count of checkpoints that ended with an error.
        public var failed = 0
        /// The last error; `nil` if there was none.
        public var lastFailure: String?

        /// Creates counts of zero.
        public init() {}
    }
}
