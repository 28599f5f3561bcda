#if PostgreSQL
import Foundation
public import StrataCore
import StrataModelFiles
import StrataSQL

/// Opens and removes the store in a schema of a PostgreSQL database.
public struct PostgreSQLStoreProvider: StoreProvider {
    let settings: PostgreSQLSettings

    /// The store in a schema.
    public init(_ settings: PostgreSQLSettings) { self.settings = settings }

    /// The kind's name.
    public var kind: String { "PostgreSQL" }

    /// The 1,600 of PostgreSQL without identifier and version.
    public var maximumColumns: Int? { 1_598 }

    /// A server has notifications, or tables.
    public var canAnnounceChanges: Bool { true }

    /// Opens the store, and makes it where there is none and `options` let it.
    ///
    /// - Throws: ``PersistenceError`` that says why it cannot be opened; what was there is as before.
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
            // Only now: a store that is not opened stays as it is.
            try settings.changeFeed(of: model)?.prepare(settings, on: connection)
            return PostgreSQLStore(
                PostgreSQLPool(settings, first: connection), layout: opening.layout, identifier: identifier,
                generation: generation, following: generation == nil ? opening : nil, isReadOnly: options.isReadOnly)
        } catch {
            connection.close()
            throw error
        }
    }

    /// What would happen to the store.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeNotFound`` where there is none.
    public func previewMigration(to model: ManagedObjectModel, options: StoreOptions) throws -> MigrationPreview {
        try with(options, isReadOnly: true) { settings, connection in
            guard try connection.hasStore(in: settings.schema) else {
                throw PersistenceError(.storeNotFound, "there is no store", path: settings.location)
            }
            return try PostgreSQLOpening(settings: settings, model: model, migration: options.migration)
                .following(on: connection).preview()
        }
    }

    /// Removes the tables of the store, and leaves the schema; where there is none, nothing happens.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` when somebody holds one of its tables for longer than was to be waited.
    public func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {
        var settings = settings
        settings.busyTimeout = options.busyTimeout
        let connection = try settings.connectFirst()
        defer { connection.close() }
        try connection.inTransaction {
            try connection.holdClosed(settings.schema)
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

    /// What the store says of itself.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/storeNotFound`` where there is none.
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
                // Without its size: to ask for that waits for whoever has a table.
                information: StoreInformation(
                    kind: kind, identifier: identifier,
                    formatVersion: SQLLayout.isMarked(image) ? 2 : 1, byteCount: nil),
                modelImage: image, modelFile: file,
                model: try file.map { try ModelFile(json: Array($0.utf8), isKept: true).model },
                texts: try connection.userTexts(own))
        }
    }

    /// Makes the store, with all that one state of another one has; nobody sees a part of it.
    ///
    /// - Throws: As ``StoreProvider/create(from:options:)``.
    /// - Complexity: O(*n* log *n*) in the rows and pairs, each of which is a statement.
    public func create(from copy: StoreCopy, options: StoreOptions) throws {
        let meter = try CopyMeter(copy)
        try with(options, isReadOnly: false) { settings, connection in
            let opening = PostgreSQLOpening(settings: settings, model: copy.snapshot.model)
            let layout = opening.layout
            try connection.holdClosed(settings.schema)
            if try connection.hasStore(in: settings.schema) {
                guard copy.replacesStore else {
                    throw PersistenceError(.cannotCreate, "there is a store already", path: settings.location)
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
    /// How many bytes the tables of a schema have.
    func byteCount(of schema: String) throws -> Int64? {
        try number(
            """
            SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint FROM pg_class AS c \
            WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND c.relkind = 'r'
            """, .string(schema))
    }

    /// Removes the tables of the store that the connection's statements mean.
    func removeStore() throws {
        let own = SQLLayout(model: try ManagedObjectModel([]), dialect: PostgreSQLDialect())
        let views = SQLViews(own, on: self)
        try views.drop()
        if try views.hasTable() { try execute("DROP TABLE \(SQLLayout.viewTable)") }
        let tables = try storedTables(own) + [SQLLayout.metadataTable, SQLLayout.sequenceTable]
        try execute("DROP TABLE " + tables.map(PostgreSQLSettings.quoted).joined(separator: ", "))
        // Stores of earlier versions may have it.
        try execute("DROP TABLE IF EXISTS strata_lock")
        try execute(PostgreSQLChangeMarks.removal)
        for removal in PostgreSQLFunctions.removals { try execute(removal) }
    }

    /// The names of the tables of the store's model.
    func storedTables(_ own: SQLLayout) throws -> [String] {
        let file = try texts(own.metadataSelection, .string(SQLLayout.modelFileKey)).first ?? ""
        return try ModelFile(json: Array(file.utf8), isKept: true).model.tables.map(\.name)
    }

    /// Whether a schema has a store.
    func hasStore(in schema: String) throws -> Bool {
        let isUsable = try number(
            "SELECT has_schema_privilege(oid, 'USAGE')::int FROM pg_namespace WHERE nspname = $1", .string(schema))
        if isUsable == 0 {
            throw PersistenceError(.permissionDenied, "the role may not use the schema (GRANT USAGE)", path: place)
        }
        return try hasTable(SQLLayout.metadataTable, in: schema)
    }

    /// Whether a schema has a table.
    func hasTable(_ name: String, in schema: String) throws -> Bool {
        try number(
            "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = $2", .string(schema), .string(name)) != nil
    }
}
#endif
