/// The options for checking a store for faults.
///
/// ## Topics
///
/// ### Creating options
///
/// - ``init()``
///
/// ### Repairing
///
/// - ``repairs``
/// - ``willCommit``
///
/// ### Progress and cancellation
///
/// - ``progress``
/// - ``isCancelled``
public struct StoreCheckOptions: Sendable {
    /// A Boolean value that indicates whether the check also repairs everything that can be rebuilt from the stored
    /// rows.
    ///
    /// This includes indexes, the next identifiers and the store's metadata. The repair is one transaction. During the
    /// repair, no other process or connection may have the store open.
    public var repairs = false
    /// A closure that returns whether to cancel the check, called every few thousand rows.
    ///
    /// If it returns `true`, the check throws `CancellationError` and the store remains unchanged.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// A closure that receives the progress of the check every few thousand rows, on the thread that checks.
    public var progress: @Sendable (StoreCheckProgress) -> Void = { _ in }
    /// A closure that is called once before a repair's commit; if it throws an error, the repair is rolled back.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Creates options for a check without a repair.
    public init() {}
}

/// The progress of a check of a store.
public struct StoreCheckProgress: Sendable, Hashable {
    /// The count of rows that were checked so far; a repair checks all rows twice.
    public let rows: Int
    /// The total count of rows to check.
    public let totalRows: Int

    /// Creates a progress value from the count of checked rows and the total count.
    public init(rows: Int, totalRows: Int) {
        self.rows = rows
        self.totalRows = totalRows
    }
}

/// The summary of a check of a store.
///
/// A store without faults has a ``faultCount`` of 0 and no ``failures``. ``warnings`` do not concern the store itself.
public struct StoreCheckSummary: Sendable, Hashable {
    /// The count of reported faults; after a repair, the count of faults that remain.
    public let faultCount: Int
    /// The count of rows and join rows that were checked.
    public let rowCount: Int
    /// The successful repairs, one sentence each: `rebuilt the index Employee_boss of Employee`.
    public let repairs: [String]
    /// The failed repairs with the reason of each failure, one sentence each.
    public let failures: [String]
    /// The risks of using the store on this machine, which are not faults of the store; one sentence each, without a
    /// period.
    public var warnings: [String] = []

    /// Creates the summary of a check.
    public init(faultCount: Int, rowCount: Int, repairs: [String] = [], failures: [String] = []) {
        self.faultCount = faultCount
        self.rowCount = rowCount
        self.repairs = repairs
        self.failures = failures
    }
}
