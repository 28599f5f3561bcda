/// The options of a check of a store.
public struct StoreCheckOptions: Sendable {
    /// A Boolean value that indicates whether the check rebuilds everything that it can rebuild without a guess.
    ///
    /// These are indexes, the next identifiers and the store's metadata. The repair is one transaction; no other
    /// process or connection may have the store open during it.
    public var repairs = false
    /// A closure that is called every few thousand rows and returns whether to cancel the check.
    ///
    /// If it returns `true`, the check throws `CancellationError` and changes nothing.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// A closure that receives the progress every few thousand rows, on the thread that checks.
    public var progress: @Sendable (StoreCheckProgress) -> Void = { _ in }
    /// A closure that is called once before a repair is committed; if it throws, the repair is rolled back.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Creates options for a check that changes nothing.
    public init() {}
}

/// The progress of a check.
public struct StoreCheckProgress: Sendable, Hashable {
    /// The count of rows that were checked one by one; a repair checks all rows twice.
    public let rows: Int
    /// The count of rows to check in total.
    public let totalRows: Int

    /// Creates a progress value.
    public init(rows: Int, totalRows: Int) {
        self.rows = rows
        self.totalRows = totalRows
    }
}

/// The result of a check.
public struct StoreCheckSummary: Sendable, Hashable {
    /// The count of faults that were reported one by one; after a repair, the faults that remain.
    public let faultCount: Int
    /// The count of rows and join rows that were checked.
    public let rowCount: Int
    /// The repairs that were made, one sentence each: `rebuilt the index Employee_boss of Employee`.
    public let repairs: [String]
    /// The repairs that failed, with the reason, one sentence each.
    public let failures: [String]
    /// The risks of the store on this machine that are not faults of it, one sentence each, without a period.
    public var warnings: [String] = []

    /// Creates a result.
    public init(faultCount: Int, rowCount: Int, repairs: [String] = [], failures: [String] = []) {
        self.faultCount = faultCount
        self.rowCount = rowCount
        self.repairs = repairs
        self.failures = failures
    }
}
