#if PostgreSQL
/// The features of a PostgreSQL server that Citus lacks, and for which the store has substitutes.
///
/// The store reads them from the server when it is opened; see <doc:OutgrowingOneMachine>.
public struct PostgreSQLCapabilities: OptionSet, Sendable, Hashable {
    /// The bits of the set, one for each feature.
    public let rawValue: Int

    /// Creates a set from the bits of its features.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The server checks references immediately after `SET CONSTRAINTS … IMMEDIATE`, so that the error names the row.
    ///
    /// Without this feature, batch operations search for rows with dangling references.
    public static let immediateChecks = PostgreSQLCapabilities(rawValue: 1)
    /// Several connections can read the same snapshot.
    ///
    /// Without this feature, several readers of a snapshot use one connection alternately.
    public static let exportedSnapshots = PostgreSQLCapabilities(rawValue: 2)
    /// The server reports a commit immediately to other connections by `LISTEN` and `NOTIFY`.
    ///
    /// If the server lacks this feature and ``StoreOptions/announcesChanges`` is true, each commit inserts a row into a
    /// table that other processes read once per second.
    public static let notifications = PostgreSQLCapabilities(rawValue: 4)
    /// All features of PostgreSQL.
    public static let all: PostgreSQLCapabilities = [.immediateChecks, .exportedSnapshots, .notifications]
}
#endif
