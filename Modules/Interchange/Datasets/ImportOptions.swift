public import Persistence

/// How a dataset is read.
public struct ImportOptions: Sendable {
    /// The format.
    public var format: DatasetFormat
    /// Names of columns in the file, and the attributes they are.
    public var mapping: [String: String] = [:]
    /// Whether columns that match nothing are dropped; otherwise they are errors.
    public var ignoresUnknownColumns = false
    /// The key of a JSON document under which its array is; `nil` when the document is the array.
    public var root: String?
    /// Asked before every 1,024th record, while the input is waited for, and after the last record; true ends the import with
    /// `CancellationError`, and nothing is stored.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// Called once after the last record, before the transaction ends; what it throws ends the import, and nothing is stored.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Options for a format.
    public init(format: DatasetFormat) {
        self.format = format
    }

    /// Makes sure that every attribute that is mapped to is there.
    ///
    /// - Parameter entity: The entity that is to be imported.
    /// - Throws: ``InterchangeError/Code/columns`` naming those that are not, and the nearest ones.
    public func checkMapping(to entity: EntityDescription) throws(InterchangeError) {
        _ = try ColumnPlan(entity, mapping: mapping)
    }
}

/// What an import did.
public struct ImportSummary: Sendable, Hashable {
    /// The number of rows stored.
    public var count: Int
    /// The file's columns that were dropped, in the order in which they were met; of a JSON document's keys at most 4,096.
    public var ignoredColumns: [String]

    /// What an import did.
    public init(count: Int, ignoredColumns: [String]) {
        self.count = count
        self.ignoredColumns = ignoredColumns
    }
}
