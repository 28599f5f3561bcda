#if PostgreSQL
extension PersistentStoreDescription {
    /// Returns the description of a store in a schema of a PostgreSQL database.
    ///
    /// Any number of processes and machines can share the store. The method requires the package trait `PostgreSQL`.
    /// For one container for each tenant, create one description for each schema.
    ///
    /// - Parameters:
    ///   - connection: A connection string of libpq: a URI (`postgresql://host/database`) or keywords (`host=… dbname=…
    ///     sslmode=verify-full`). Missing parameters come from PGHOST, PGPASSWORD, PGPASSFILE, PGSERVICE and so on.
    ///   - schema: The schema, of at most 63 bytes; it is created if it is missing.
    ///   - poolSize: The maximum number of connections at a time, at least 2.
    ///   - statementTimeout: The maximum time that the server works on one statement; `nil` means no limit.
    ///   - applicationName: The name of the connections in the server's own views.
    ///   - capabilities: The features that the store uses; `nil` means all features of the server. All containers of a
    ///     store must use the same features.
    /// - Returns: The description; ``busyTimeout`` is the maximum time to wait for a lock or for a free connection.
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
