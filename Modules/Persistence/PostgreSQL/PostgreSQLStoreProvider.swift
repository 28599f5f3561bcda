#if PostgreSQL
import Foundation
public import StrataCore
import StrataModelFiles
import StrataSQL

/// Opens and removes the store in a schema of a PostgreSQL database.
public struct PostgreSQLStoreProvider: StoreProvider {
    private let settings: PostgreSQLSettings

    /// The store in a schema.
    public init(_ settings: PostgreSQLSettings) { self.settings = settings }

    /// The kind's name.
    public var kind: String { "PostgreSQL" }

    /// Opens the store, and makes it where there is none and `options` let it.
    ///
    /// - Throws: ``PersistenceError`` that says why it cannot be opened; what was there is as before.
    public func open(_ model: ManagedObjectModel, options: StoreOptions) throws -> any PersistentStore {
        var settings = settings
        settings.busyTimeout = options.busyTimeout
        let layout = SQLLayout(model: model, dialect: PostgreSQLDialect())
        let connection = try settings.connect()
        do {
            let opening = PostgreSQLOpening(settings: settings, layout: layout, connection: connection)
            let identifier = try opening.run(creates: options.createsStore && !options.isReadOnly)
            let pool = PostgreSQLPool(settings, first: connection)
            return PostgreSQLStore(pool, layout: layout, identifier: identifier, isReadOnly: options.isReadOnly)
        } catch {
            connection.close()
            throw error
        }
    }

    /// Removes the tables of the store; where there is none, nothing happens.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/locked`` when somebody holds one of its tables for longer than was to be waited.
    public func destroy(onlyIfEmpty: Bool, options: StoreOptions) throws {
        var settings = settings
        settings.busyTimeout = options.busyTimeout
        let connection = try settings.connect()
        defer { connection.close() }
        try connection.inTransaction {
            try connection.lockStore(settings.schema, .alone)
            guard try connection.hasStore(in: settings.schema) else { return }
            let own = SQLLayout(model: try ManagedObjectModel([]), dialect: PostgreSQLDialect())
            let file = try connection.texts(own.metadataSelection, .string(SQLLayout.modelFileKey)).first ?? ""
            let names = try ModelFile(json: Array(file.utf8), isKept: true).model.tables.map(\.name)
            if onlyIfEmpty {
                for name in names where try connection.number(own.anyRow(name)) != nil { return }
            }
            let tables = names + [SQLLayout.metadataTable, SQLLayout.sequenceTable]
            try connection.execute("DROP TABLE " + tables.map(PostgreSQLSettings.quoted).joined(separator: ", "))
            for removal in PostgreSQLFunctions.removals { try connection.execute(removal) }
        }
    }
}

extension PostgreSQLConnection {
    /// Whether a schema has a store.
    func hasStore(in schema: String) throws -> Bool {
        try number(
            "SELECT 1 FROM pg_tables WHERE schemaname = $1 AND tablename = $2", .string(schema),
            .string(SQLLayout.metadataTable)) != nil
    }
}

/// The steps of opening a store.
struct PostgreSQLOpening {
    let settings: PostgreSQLSettings
    let layout: SQLLayout
    let connection: PostgreSQLConnection

    private func error(_ code: PersistenceError.Code, _ message: String) -> PersistenceError {
        PersistenceError(code, message, path: settings.place)
    }

    /// Makes the store where there is none, and compares its model with the one it is opened with.
    ///
    /// - Returns: The store's identifier.
    func run(creates: Bool) throws -> UUID {
        try connection.inTransaction {
            guard try connection.number("SELECT current_setting('server_version_num')::bigint") ?? 0 >= 130_000 else {
                throw error(.database, "the server is too old; PostgreSQL 13 or newer is needed")
            }
            guard try connection.texts("SHOW server_encoding").first == "UTF8" else {
                throw error(.database, "the database is not in UTF-8; make one with ENCODING 'UTF8'")
            }
            if try !connection.hasStore(in: settings.schema) {
                guard creates else { throw error(.storeNotFound, "there is no store") }
                try connection.lockStore(settings.schema, .alone)
                // Another process may have been faster.
                if try !connection.hasStore(in: settings.schema) { try create() }
            }
            guard
                try connection.texts(layout.metadataSelection, .string(SQLLayout.modelFileKey)).first
                    == ModelFile.text(of: layout.model)
            else {
                throw error(.incompatibleModel, "the store was made with another model; it does not follow yet")
            }
            let text = try connection.texts(layout.metadataSelection, .string("uuid")).first
            guard let identifier = text.flatMap(UUID.init(uuidString:)) else {
                throw error(.corrupt, "the store has no identifier")
            }
            return identifier
        }
    }

    private func create() throws {
        // A role may use a schema that it may not make.
        if try connection.number("SELECT 1 FROM pg_namespace WHERE nspname = $1", .string(settings.schema)) == nil {
            try connection.execute("CREATE SCHEMA \(settings.quotedSchema)")
        }
        for statement in PostgreSQLFunctions.definitions + layout.schema() { try connection.execute(statement) }
        var entries = [
            "uuid": UUID().uuidString, SQLLayout.modelKey: try layout.model.json(),
            SQLLayout.modelFileKey: ModelFile.text(of: layout.model),
        ]
        for (entity, hash) in try layout.model.entityHashes() { entries[SQLLayout.hashPrefix + entity] = hash }
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            try connection.run(layout.metadataUpsert, .string(key), .string(value))
        }
    }
}
#endif
