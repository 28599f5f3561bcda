/// How a store is checked.
public struct StoreCheckOptions: Sendable {
    /// Whether what can be rebuilt without a guess is: indexes, the next identifiers, what the store knows of itself.
    ///
    /// One transaction; nobody else may have the store open meanwhile.
    public var repairs = false
    /// Asked every few thousand rows; true ends the check with `CancellationError`, and nothing is changed.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// Told every few thousand rows how far it is, on the thread that checks.
    public var progress: @Sendable (StoreCheckProgress) -> Void = { _ in }
    /// Called once before a repair is committed; what it throws takes the repair back.
    public var willCommit: @Sendable () throws -> Void = {}

    /// Looks, and changes nothing.
    public init() {}
}

/// How far a check is.
public struct StoreCheckProgress: Sendable, Hashable {
    /// The rows that were looked at one by one; a repair looks at all of them twice.
    public let rows: Int
    /// How many there are to be looked at.
    public let totalRows: Int

    /// A share of a check.
    public init(rows: Int, totalRows: Int) {
        self.rows = rows
        self.totalRows = totalRows
    }
}

/// What came of a check.
public struct StoreCheckSummary: Sendable, Hashable {
    /// The faults that there are, after the repair where there was one: as many as were given one by one.
    public let faultCount: Int
    /// The rows and pairs that were looked at.
    public let rowCount: Int
    /// What was rebuilt, a sentence each: `rebuilt the index Employee_boss of Employee`.
    public let repairs: [String]
    /// What could not be rebuilt although it was tried, and why, a sentence each.
    public let failures: [String]
    /// Risks of the store on this machine that are no faults of it, a sentence each, without a period.
    public var warnings: [String] = []

    /// A result.
    public init(faultCount: Int, rowCount: Int, repairs: [String] = [], failures: [String] = []) {
        self.faultCount = faultCount
        self.rowCount = rowCount
        self.repairs = repairs
        self.failures = failures
    }
}
