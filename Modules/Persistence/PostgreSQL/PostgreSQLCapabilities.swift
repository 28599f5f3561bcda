#if PostgreSQL
/// What a server can do beside tables and transactions; for what it cannot there is another way.
///
/// A store asks at its opening. What speaks PostgreSQL's protocol may lack some of it: which engine does is on the page <doc:OutgrowingOneMachine>.
public struct PostgreSQLCapabilities: OptionSet, Sendable, Hashable {
    /// One bit for each.
    public let rawValue: Int

    /// What some bits say.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// References are checked by the server, at a transaction's end.
    ///
    /// Otherwise a save asks for the rows that it refers to, and keeps them from going
    /// until it has ended; batches ask for references that lead nowhere.
    public static let deferrableReferences = PostgreSQLCapabilities(rawValue: 1)
    /// `SET CONSTRAINTS … IMMEDIATE` checks references at once, and so names the row.
    ///
    /// Otherwise batches ask for those that lead nowhere.
    public static let immediateChecks = PostgreSQLCapabilities(rawValue: 2)
    /// Locks that are no row's.
    ///
    /// Otherwise a row of the store's own is locked; that a store is open keeps nobody from removing it then.
    public static let advisoryLocks = PostgreSQLCapabilities(rawValue: 4)
    /// Several connections read one state.
    ///
    /// Otherwise several readers take turns on one connection.
    public static let exportedSnapshots = PostgreSQLCapabilities(rawValue: 8)
    /// `LISTEN` and `NOTIFY` tell who waits of a commit, at once.
    ///
    /// Otherwise what was written is said in a table that others read once a second, where ``StoreOptions/announcesChanges`` asks for it.
    public static let notifications = PostgreSQLCapabilities(rawValue: 16)
    /// `COPY … FROM STDIN` takes rows in its binary form.
    ///
    /// Otherwise bulk inserts are statements with as many rows as their parameters suffice for.
    public static let copy = PostgreSQLCapabilities(rawValue: 32)
    /// What PostgreSQL can.
    public static let all: PostgreSQLCapabilities = [
        .deferrableReferences, .immediateChecks, .advisoryLocks, .exportedSnapshots, .notifications, .copy,
    ]
}
#endif
