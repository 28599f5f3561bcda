#if PostgreSQL
/// The features of a PostgreSQL server that Citus lacks, and for which the store has substitutes.
///
/// The store reads them from the server when it is opened; see <doc:OutgrowingOneMachine>.
public struct PostgreSQLCapabilities: OptionSet, Sendable, Hashable {
    /// The bits of the set, one for each feature.
    public let rawValue: Int

    /// Creates a set from the bits of its features.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// `SET CONSTRAINTS … IMMEDIATE` checks references at once, so that the error names the row.
    ///
    /// Without this feature, batch operations search for rows with dangling references.
    public static let immediateChecks = PostgreSQLCapabilities(rawValue: 1)
    /// Several connections read the same snapshot.
    ///
    /// Without this feature, several readers share one connection in turn.
    public static let exportedSnapshots = PostgreSQLCapabilities(rawValue: 2)
    /// `LISTEN` and `NOTIFY` report a commit at once.
    ///
    /// Without this feature, and with ``StoreOptions/announcesChanges``, each commit inserts a row into a table that
    /// other processes read once per second.
    public static let notifications = PostgreSQLCapabilities(rawValue: 4)
    /// All features of PostgreSQL.
    public static let all: PostgreSQLCapabilities = [.immediateChecks, .exportedSnapshots, .notifications]
}
#endif
