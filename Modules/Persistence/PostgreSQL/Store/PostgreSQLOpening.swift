#if PostgreSQL
import Foundation
import StrataCore
import StrataSQL
import StrataStoreKit

/// The operations that open a PostgreSQL store: its creation, its migration, and the comparison of its model.
struct PostgreSQLOpening: Sendable {
    let settings: PostgreSQLSettings
    let model: ManagedObjectModel
    /// The options of the migration that runs if the store has another model.
    var migration = MigrationOptions()

    var layout: SQLLayout { SQLLayout(model: model, dialect: PostgreSQLDialect(server: settings.server)) }

    private func error(_ code: PersistenceError.Code, _ message: String) -> PersistenceError {
        PersistenceError(code, message, path: settings.location)
    }

    /// Creates the store if it is missing, and migrates it if it has another model.
    ///
    /// - Returns: The store's identifier and generation; the generation is `nil` if the first bulk write will migrate
    ///   the store.
    func run(
        on connection: PostgreSQLConnection, creates: Bool, isReadOnly: Bool
    ) throws -> (identifier: UUID, generation: PostgreSQLGeneration?) {
        if try !connection.hasStore(in: settings.schema) {
            guard creates, !isReadOnly else { throw error(.storeNotFound, "there is no store") }
            try connection.inTransaction { try makeIfMissing(on: connection) }
        }
        // The loop repeats if another process migrates the store to a third model in between, or if the store was
        // created before stores recorded their generation.
        while true {
            let found = try connection.inTransaction(
                [PostgreSQLConnection.beginning(isReadOnly: true)], writes: false
            ) { try look(on: connection, isReadOnly: isReadOnly) }
            if found.hasToFollow {
                if migration.isDeferred { return (found.identifier, nil) }
                try connection.beginningAgain { hasAll in
                    try alone(on: connection) {
                        try lockTables(on: connection)
                        hasAll = true
                        try follow(on: connection)
                    }
                }
                migration.didCommit()
            } else if found.isNamed {
                if !isReadOnly, try updateViews(on: connection) { continue }
                return (found.identifier, found.generation)
            } else if isReadOnly {
                throw error(
                    .incompatibleModel,
                    "the store was created by an earlier version of Strata; open it for writing once to upgrade it")
            } else {
                try alone(on: connection) {
                    try PostgreSQLGeneration.name(try followings(on: connection), on: connection)
                }
            }
        }
    }

    /// Rebuilds the views if they differ from those of the model.
    ///
    /// If the database role may not create views, the store is opened without them. Strata does not read the views, and
    /// a store check reports the differences.
    ///
    /// - Returns: True if the store had no views, so that its generation was raised.
    private func updateViews(on connection: PostgreSQLConnection) throws -> Bool {
        let views = SQLViews(layout, on: connection)
        let differs = try connection.inTransaction(
            [PostgreSQLConnection.beginning(isReadOnly: true)], writes: false
        ) { try !views.differences().isEmpty }
        guard differs else { return false }
        do {
            var announcesChange = false
            try alone(on: connection) {
                announcesChange = try !views.hasTable()
                try views.make()
                guard announcesChange else { return }
                for (key, value) in try layout.modelEntries().sorted(by: { $0.key < $1.key }) {
                    try connection.run(layout.metadataUpsert, .string(key), .string(value))
                }
                try PostgreSQLGeneration.name(try layout.countFollowing(on: connection), on: connection)
            }
            return announcesChange
        } catch let error as PersistenceError where SQLViews<PostgreSQLConnection>.hindrances.contains(error.code) {
            return false
        }
    }

    /// Runs `body` in a transaction that has locked the metadata table exclusively and has the store's exclusive write
    /// lock.
    ///
    /// All transactions take the two locks in this order.
    func alone(on connection: PostgreSQLConnection, _ body: () throws -> Void) throws {
        try connection.inTransaction {
            try connection.execute(PostgreSQLGeneration.lockAlone)
            try connection.execute(settings.lock(.alone))
            try body()
        }
    }

    /// The state of the store before the opening.
    private struct Found {
        let identifier: UUID
        let generation: PostgreSQLGeneration
        /// A Boolean value that indicates whether the metadata table has the column of the store's generation and of no
        /// other one.
        let isNamed: Bool
        let hasToFollow: Bool
    }

    /// Compares the stored model with the model with which the store is opened.
    private func look(on connection: PostgreSQLConnection, isReadOnly: Bool) throws -> Found {
        let stored = try SQLStoredModel(on: connection, layout, path: settings.location)
        let (need, mapping) = try stored.need(of: model, path: settings.location)
        guard let identifier = try connection.text(layout.metadataSelection, .string("uuid")).flatMap(UUID.init) else {
            throw error(.corrupt, "the store has no identifier")
        }
        if isReadOnly, need == .migration {
            var error = PersistenceError.needsMigration(mapping?.steps ?? [], "the store is open for reading only")
            error.path = settings.location
            throw error
        }
        let generation = PostgreSQLGeneration(number: stored.generation, model: try model.versionHash())
        return Found(
            identifier: identifier, generation: generation, isNamed: try generation.isNamed(on: connection),
            hasToFollow: need != .nothing && !isReadOnly)
    }

    /// Locks all tables of the store exclusively.
    ///
    /// The transaction must already have locked the metadata table and have the store's exclusive write lock. When this
    /// method returns, no reader uses rows of the old model.
    ///
    /// One statement locks all tables. A statement that reads or changes one row locks its own table before the
    /// metadata table, so a deadlock is possible. One of the two transactions then fails, but the migration has not
    /// changed anything yet.
    func lockTables(on connection: PostgreSQLConnection) throws {
        let tables = try connection.storedTables(layout).map(PostgreSQLSettings.quoted).joined(separator: ", ")
        if !tables.isEmpty { try connection.execute("LOCK TABLE \(tables) IN ACCESS EXCLUSIVE MODE") }
    }

    /// Migrates the store to the model, in a transaction that has locked all tables of the store exclusively.
    func follow(on connection: PostgreSQLConnection) throws {
        try PostgreSQLLayout.checkNames(of: model, location: settings.location)
        try following(on: connection).run()
        try PostgreSQLGeneration.name(try followings(on: connection), on: connection)
    }

    /// Returns the count of migrations in the store's metadata.
    private func followings(on connection: PostgreSQLConnection) throws -> Int64 {
        try connection.text(layout.metadataSelection, .string(SQLLayout.generationKey)).flatMap { Int64($0) } ?? 0
    }

    func following(on connection: PostgreSQLConnection) -> SchemaMigration<PostgreSQLMigrationEngine> {
        let engine = PostgreSQLMigrationEngine(connection, schema: settings.schema, migration)
        return SchemaMigration(
            to: model, by: engine, migration, dialect: PostgreSQLDialect(server: settings.server),
            path: settings.location)
    }

    /// Creates the store, unless another process has created it meanwhile.
    private func makeIfMissing(on connection: PostgreSQLConnection) throws {
        try connection.execute(settings.lock(.alone))
        if try !connection.hasStore(in: settings.schema) { try create(on: connection) }
    }

    private func create(on connection: PostgreSQLConnection) throws {
        try makeTables(layout.schema(), on: connection)
        for (key, value) in try entries(identifier: UUID()).sorted(by: { $0.key < $1.key }) {
            try connection.run(layout.metadataUpsert, .string(key), .string(value))
        }
        try SQLViews(layout, on: connection).make()
    }

    /// Creates tables, and if necessary the schema and the SQL functions of the store.
    func makeTables(_ tables: [String], on connection: PostgreSQLConnection) throws {
        try PostgreSQLLayout.checkNames(of: model, location: settings.location)
        // A role may have permission to use a schema, but not to create one, so an existing schema is used.
        if try connection.number("SELECT 1 FROM pg_namespace WHERE nspname = $1", .string(settings.schema)) == nil {
            try connection.execute("CREATE SCHEMA \(settings.quotedSchema)")
        }
        let statements =
            PostgreSQLFunctions.definitions(settings) + tables + [PostgreSQLGeneration.naming]
        for statement in statements { try connection.execute(statement) }
    }

    /// Returns the metadata entries of a new store, by their keys: the identifier, the format, and the model.
    func entries(identifier: UUID) throws -> [String: String] {
        var entries = try layout.modelEntries()
        entries["uuid"] = identifier.uuidString
        return entries
    }
}
#endif
