public import Foundation

/// A description of a store for people and logs.
public struct StoreInformation: Sendable {
    /// The name of the store's kind: `SQLite`, `in-memory`, or the name of another kind.
    public var kind: String
    /// The identifier that the store got when it was created.
    public var identifier: UUID
    /// The version of the store's file format; `nil` if the store has none.
    public var formatVersion: Int?
    /// The size of the store on disk in bytes; `nil` if it has no file.
    public var byteCount: Int64?
    /// The name and version of the database library, such as `SQLite 3.40.1`; `nil` if the store uses none.
    public var library: String?
    /// The risks of using the store on this machine, one sentence each, without a period.
    public var warnings: [String] = []
    /// The state of the store's write-ahead log; `nil` if it has none.
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
    /// The size of the log's file in bytes; it does not shrink when the log is restarted.
    public var byteCount: Int64
    /// The count of bytes in the log that no checkpoint has moved to the store's file yet.
    public var unmovedByteCount: Int64 = 0
    /// The oldest transaction that prevents the restart of the log; `nil` if there is none.
    public var reader: Reader?
    /// The counts of checkpoints that this store object has run.
    public var checkpoints = Checkpoints()

    /// Creates a description of a write-ahead log.
    public init(byteCount: Int64) {
        self.byteCount = byteCount
    }

    /// A transaction that reads an older state of the store and thereby prevents the restart of the log.
    ///
    /// Until the transaction ends, the log grows with each commit.
    public struct Reader: Sendable, Hashable {
        /// The identifier of the process that reads; `nil` if the system does not report it.
        public var processID: Int32?
        /// The name of the program that reads; `nil` if the system does not report it.
        public var processName: String?
        /// The approximate age of the transaction: the shorter of two times, because a log records no start of
        /// transactions.
        ///
        /// It is the time since a checkpoint last wrote to the store's file, or the time since the reader's process
        /// started.
        public var age: Duration

        /// Creates a description of a reader.
        public init(processID: Int32?, processName: String?, age: Duration) {
            self.processID = processID
            self.processName = processName
            self.age = age
        }
    }

    /// The counts of a log's checkpoints by their outcome.
    public struct Checkpoints: Sendable, Hashable {
        /// The count of checkpoints after which the log was restarted.
        public var completed = 0
        /// The count of checkpoints that readers or writers delayed for more than 0.2 s.
        public var heldBack = 0
        /// The count of checkpoints that ended with an error.
        public var failed = 0
        /// The text of the last checkpoint's error; `nil` if no checkpoint has failed.
        public var lastFailure: String?

        /// Creates counts that are all zero.
        public init() {}
    }
}
