#if PostgreSQL
extension PersistentStoreDescription {
    /// Returns the description of a store in a schema of a PostgreSQL database.
    ///
    /// Any number of processes and machines can share the store. The method requires the package trait `PostgreSQL`. To
    /// separate tenants, give each tenant a schema, a description of that schema, and a container.
    ///
    /// - Parameters:
    ///   - connection: A connection string of libpq: a URI (`postgresql://host/database`) or keywords (`host=… dbname=…
    ///     sslmode=verify-full`). Missing parameters come from environment variables of libpq, such as PGHOST,
    ///     PGPASSWORD, PGPASSFILE and PGSERVICE.
    ///   - schema: The name of the schema, at most 63 bytes; a missing schema is created.
    ///   - poolSize: The maximum number of open connections, at least 2.
    ///   - statementTimeout: The maximum duration of one statement on the server; `nil` means no limit.
    ///   - applicationName: The name of the connections in the server's monitoring views.
    ///   - capabilities: The PostgreSQL features that the store uses; `nil` means all features that the server
    ///     supports. All containers of a store must use the same features.
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
