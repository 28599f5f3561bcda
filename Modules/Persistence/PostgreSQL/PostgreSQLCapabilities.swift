#if PostgreSQL
/// The features of a server that Citus lacks, and for which the store has another way.
///
/// A store asks the server when it is opened; see <doc:OutgrowingOneMachine>.
public struct PostgreSQLCapabilities: OptionSet, Sendable, Hashable {
    /// One bit for each.
    public let rawValue: Int

    /// Makes a set of the features of some bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `SET CONSTRAINTS … IMMEDIATE` checks references at once, and so names the row.
    ///
    /// Without it batches look for rows whose references have no destination.
    public static let immediateChecks = PostgreSQLCapabilities(rawValue: 1)
    /// Several connections read one state.
    ///
    /// Without it several readers take turns on one connection.
    public static let exportedSnapshots = PostgreSQLCapabilities(rawValue: 2)
    /// `LISTEN` and `NOTIFY` report a commit at once.
    ///
    /// Without them, and with ``StoreOptions/announcesChanges``, commits are noted in a table that others read once a second.
    public static let notifications = PostgreSQLCapabilities(rawValue: 4)
    /// The features of PostgreSQL.
    public static let all: PostgreSQLCapabilities = [.immediateChecks, .exportedSnapshots, .notifications]
}
#endif
