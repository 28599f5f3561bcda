#if PostgreSQL
public import Foundation
public import StrataCore
import StrataModelFiles
public import StrataSQL
public import StrataStoreKit

/// A provider that opens and removes the store in a schema of a PostgreSQL database.
///
/// Creating a provider does not connect to the server. Each method opens at least one connection, blocks until it is
/// done, and can be called from any thread. Waits for locks end after the busy timeout of the options.
///
/// ## Topics
///
/// ### Creating a provider
///
/// - ``init(_:)``
/// - ``PostgreSQLSettings``
/// - ``kind``
/// - ``maximumColumns``
/// - ``canAnnounceChanges``
///
/// ### Opening and creating the store
///
/// - ``open(_:options:)``
/// - ``create(from:options:)``
/// - ``previewMigration(to:options:)``
///
/// ### Examining and removing the store
///
/// - ``metadata(options:)``
/// - ``check(_:options:_:report:)``
/// - ``destroy(onlyIfEmpty:options:)``
public struct PostgreSQLStoreProvider: StoreProvider {
    let settings: PostgreSQLSettings

    /// Creates a provider for the store in a schema.
    ///
    /// - Parameter settings: The settings, which are checked when the provider connects to the server.
    public init(_ settings: PostgreSQLSettings) { self.settings = settings }

    /// The name of the store kind.
    public var kind: String { "PostgreSQL" }

    /// The maximum count of an entity's columns: PostgreSQL's limit of 1,600 minus the identifier and the version.
    public var maximumColumns: Int? { 1_598 }

    /// True, because a store can announce its changes by notifications of the server or by a table.
    public var canAnnounceChanges: Bool { true }

    /// Opens the store, and creates it if it is missing and `options` allow that.
    ///
    /// A missing schema is created, too. A store with another model is migrated in one transaction with exclusive
    /// access, as the options define; another process that has the store open with the earlier model then gets
    /// ``PersistenceError/Code/storeMigrated``.
    ///
    /// - Parameters:
    ///   - model: The model. Names of entities and attributes become names on the server, so they have at most 63
    ///     bytes.
    ///   - options: The options, all of which have an effect.
    /// - Returns: A ``PostgreSQLStore``.
    /// - Throws: ``PersistenceError`` with the reason if the store cannot be opened; the database is then unchanged.
    ///   The code is ``PersistenceError/Code/storeNotFound`` if there is no store and none is created, and
    ///   ``PersistenceError/Code/database`` if the server is not supported. `CancellationError` for a canceled
    ///   migration.
    public func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        var settings = settings
        settings.busyTimeout = options.busyTimeout
        (settings.announcesChanges, settings.isReadOnly) = (options.announcesChanges, options.isReadOnly)
        settings.durability = options.durability
        let connection = try settings.connectFirst()
        do {
            settings.tables = model.tables.map(\.name)
            connection.tables = settings.tables
            try connection.beginUse(settings.schema)
            let opening = PostgreSQLOpening(settings: settings, model: model, migration: options.migration)
            let (identifier, generation) = try opening.run(
                on: connection, creates: options.createsStore, isReadOnly: options.isReadOnly)
            // Prepared only now, so that a store that cannot be opened remains unchanged.
            try settings.changeFeed(of: model)?.prepare(settings, on: connection)
            return PostgreSQLStore(
                PostgreSQLPool(settings, first: connection), layout: opening.layout, identifier: identifier,
                generation: generation, following: generation == nil ? opening : nil, isReadOnly: options.isReadOnly,
                historyLevel: try opening.layout.historyLevel(on: connection))
        } catch {
            connection.close()
            throw error
        }
    }

    /// Returns a preview of the migration that opening the store would perform.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeNotFound`` if there is no store.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        try with(options, isReadOnly: true) { settings, connection in
            guard try connection.hasStore(in: settings.schema) else {
                throw PersistenceError(.storeNotFound, "there is no store", path: settings.location)
            }
            return try PostgreSQLOpening(settings: settings, model: model, migration: options.migration)
                .following(on: connection).preview()
        }
    }

    /// Removes the tables of the store, but not the database schema; does nothing if there is no store.
    ///
    /// - Parameters:
    ///   - onlyIfEmpty: A Boolean value that indicates whether a store that has any row is retained.
    ///   - options: The options; only the busy timeout has an effect.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` if another process has the store open,
    ///   or locks one of the tables for longer than the busy timeout.
    public func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {
        var settings = settings
        settings.busyTimeout = options.busyTimeout
        let connection = try settings.connectFirst()
        defer { connection.close() }
        try connection.inTransaction {
            try connection.lockAgainstOpening(settings.schema)
            guard try connection.hasStore(in: settings.schema) else { return }
            let own = SQLLayout(model: try ManagedObjectModel([]), dialect: PostgreSQLDialect())
            if onlyIfEmpty {
                for name in try connection.storedTables(own) where try connection.number(own.anyRow(name)) != nil {
                    return
                }
            }
            try connection.removeStore()
        }
    }
}

// MARK: - Stores that are not open

extension PostgreSQLStoreProvider {
    private func with<Result>(
        _ options: StoreOptions, isReadOnly: Bool, _ body: (PostgreSQLSettings, PostgreSQLConnection) throws -> Result
    ) throws -> Result {
        var settings = settings
        (settings.busyTimeout, settings.durability) = (options.busyTimeout, options.durability)
        let connection = try settings.connectFirst()
        defer { connection.close() }
        let beginning = PostgreSQLConnection.beginning(isReadOnly: isReadOnly)
        return try connection.inTransaction([beginning]) { try body(settings, connection) }
    }

    /// Returns the metadata of the store.
    ///
    /// The size of the store is omitted, because reading it would wait for tables that other transactions have locked.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeNotFound`` if there is no store.
    public func metadata(options: StoreOptions) throws -> StoreMetadata {
        try with(options, isReadOnly: true) { settings, connection in
            guard try connection.hasStore(in: settings.schema) else {
                throw PersistenceError(.storeNotFound, "there is no store", path: settings.location)
            }
            let own = SQLLayout(model: try ManagedObjectModel([]), dialect: PostgreSQLDialect())
            func entry(_ key: String) throws -> String? {
                try connection.texts(own.metadataSelection, .string(key)).first
            }
            guard let image = try entry(SQLLayout.modelKey), let identifier = try entry("uuid").flatMap(UUID.init)
            else {
                throw PersistenceError(.corrupt, "the store has no model, or no identifier", path: settings.location)
            }
            let file = try entry(SQLLayout.modelFileKey)
            return StoreMetadata(
                // The size is omitted, because the query for it waits for tables that other transactions have locked.
                information: StoreInformation(
                    kind: kind, identifier: identifier,
                    formatVersion: SQLLayout.isMarked(image) ? 2 : 1, byteCount: nil),
                modelImage: image, modelFile: file,
                model: try file.map { try ModelFile(json: Array($0.utf8), isKept: true).model },
                texts: try connection.userTexts(own))
        }
    }

    /// Creates the store with the contents of a snapshot of another store, in one transaction.
    ///
    /// - Throws: The errors of ``StoreProvider/create(from:options:)``.
    /// - Complexity: O(*n* log *n*) in the count of rows and join rows, each of which needs one statement.
    public func create(from copy: StoreCopy, options: StoreOptions) throws {
        let meter = try CopyMeter(copy)
        try with(options, isReadOnly: false) { settings, connection in
            let opening = PostgreSQLOpening(settings: settings, model: copy.snapshot.model)
            let layout = opening.layout
            try connection.lockAgainstOpening(settings.schema)
            if try connection.hasStore(in: settings.schema) {
                guard copy.replacesStore else {
                    throw PersistenceError(.cannotCreate, "a store already exists", path: settings.location)
                }
                try connection.removeStore()
            }
            try opening.makeTables(layout.bareTables(), on: connection)
            let rows = SQLCopiedRows(copy, in: layout, on: connection, meter)
            try rows.write()
            try connection.checkReferences("the store that is copied has a reference to", in: layout)
            for statement in layout.indexes() + layout.referenceDefinitions() {
                if copy.isCancelled() { throw CancellationError() }
                try connection.execute(statement)
            }
            try rows.writeMarks(and: try opening.entries(identifier: copy.identifier))
            try SQLViews(layout, on: connection).make()
            try meter.end()
        }
    }
}

extension PostgreSQLConnection {
    /// Returns the total size of the tables in a database schema, in bytes.
    func byteCount(of schema: String) throws -> Int64? {
        try number(
            """
            SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class AS c \
            WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND c.relkind = 'r'
            """, .string(schema))
    }

    /// Removes the tables of the store in the connection's schema.
    func removeStore() throws {
        let own = SQLLayout(model: try ManagedObjectModel([]), dialect: PostgreSQLDialect())
        let views = SQLViews(own, on: self)
        try views.drop()
        if try views.hasTable() { try execute("DROP TABLE \(SQLLayout.viewTable)") }
        let tables = try storedTables(own) + [SQLLayout.metadataTable, SQLLayout.sequenceTable]
        try execute("DROP TABLE " + tables.map(PostgreSQLSettings.quoted).joined(separator: ", "))
        for table in SQLLayout.historyTableNames { try execute("DROP TABLE IF EXISTS \(table)") }
        // Stores of earlier versions may have this table.
        try execute("DROP TABLE IF EXISTS strata_lock")
        try execute(PostgreSQLPollingFeed.removal)
        for removal in PostgreSQLFunctions.removals { try execute(removal) }
    }

    /// Returns the names of the tables that the stored model defines.
    func storedTables(_ own: SQLLayout) throws -> [String] {
        let file = try texts(own.metadataSelection, .string(SQLLayout.modelFileKey)).first ?? ""
        return try ModelFile(json: Array(file.utf8), isKept: true).model.tables.map(\.name)
    }

    /// Returns a Boolean value that indicates whether a schema contains a store.
    func hasStore(in schema: String) throws -> Bool {
        let isUsable = try number(
            "SELECT has_schema_privilege(oid, 'USAGE')::int FROM pg_namespace WHERE nspname = $1", .string(schema))
        if isUsable == 0 {
            throw PersistenceError(.permissionDenied, "the role may not use the schema (GRANT USAGE)", path: place)
        }
        return try hasTable(SQLLayout.metadataTable, in: schema)
    }

    /// Returns a Boolean value that indicates whether a schema contains a table.
    func hasTable(_ name: String, in schema: String) throws -> Bool {
        try number(
            "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = $2", .string(schema), .string(name)) != nil
    }
}
#endif
