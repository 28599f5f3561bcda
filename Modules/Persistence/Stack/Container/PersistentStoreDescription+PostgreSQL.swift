#if PostgreSQL
extension PersistentStoreDescription {
    /// A store that is a schema of a PostgreSQL database, shared by any number of processes and machines.
    ///
    /// Only with the package trait `PostgreSQL`. A container for each tenant is a description for each schema.
    ///
    /// - Parameters:
    ///   - connection: A connection string of libpq: a URI (`postgresql://host/database`) or words (`host=… dbname=… sslmode=verify-full`). What it does
    ///     not say comes from PGHOST, PGPASSWORD, PGPASSFILE, PGSERVICE and so on.
    ///   - schema: The schema, of at most 63 bytes; made where it is missing.
    ///   - poolSize: The most connections at once, at least 2.
    ///   - statementTimeout: How long the server works on one statement; `nil` is as long as it takes.
    ///   - applicationName: What the server's own views call the connections.
    ///   - capabilities: The features that the store uses; `nil` for those of the server. All containers of a store have to agree.
    /// - Returns: The description; ``busyTimeout`` is how long to wait for a lock, or for a free connection.
    public static func postgreSQL(
        _ connection: String, schema: String = "public", poolSize: Int = 10, statementTimeout: Duration? = nil,
        applicationName: String = "strata", capabilities: PostgreSQLCapabilities? = nil
    ) -> PersistentStoreDescription {
        var settings = PostgreSQLSettings(
            connection, schema: schema, poolSize: poolSize, applicationName: applicationName)
        settings.statementTimeout = statementTimeout
        settings.capabilities = capabilities
        return PersistentStoreDescription(PostgreSQLStoreProvider(settings))
    }
}
#endif
