#if PostgreSQL
import Foundation
import StrataCore
import StrataSQL

/// The steps of opening a store.
struct PostgreSQLOpening: Sendable {
    let settings: PostgreSQLSettings
    let model: ManagedObjectModel
    /// What is done where the store was made with another model.
    var migration = MigrationOptions()

    var layout: SQLLayout { SQLLayout(model: model, dialect: PostgreSQLDialect(server: settings.server)) }

    private func error(_ code: PersistenceError.Code, _ message: String) -> PersistenceError {
        PersistenceError(code, message, path: settings.location)
    }

    /// Makes the store where there is none, and has it follow where it was made with another model.
    ///
    /// - Returns: The store's identifier, and how often it has followed; `nil` where it does so in its first bulk write.
    func run(
        on connection: PostgreSQLConnection, creates: Bool, isReadOnly: Bool
    ) throws -> (identifier: UUID, generation: PostgreSQLGeneration?) {
        if try !connection.hasStore(in: settings.schema) {
            guard creates, !isReadOnly else { throw error(.storeNotFound, "there is no store") }
            try connection.inTransaction { try makeIfMissing(on: connection) }
        }
        // Once more than once where somebody else has the store follow a third model in between, or it was made before stores said how often they had.
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
                throw error(.incompatibleModel, "the store is of an earlier version; open it for writing once")
            } else {
                try alone(on: connection) {
                    try PostgreSQLGeneration.name(try followings(on: connection), on: connection)
                }
            }
        }
    }

    /// Rebuilds the views if they differ from those of the model.
    ///
    /// A role without permission to build them opens the store without them. Strata does not read them, and a check
    /// reports them.
    ///
    /// - Returns: Whether the store had no views, so that its generation was raised.
    private func updateViews(on connection: PostgreSQLConnection) throws -> Bool {
        let views = SQLViews(layout, on: connection)
        let differs = try connection.inTransaction(
            [PostgreSQLConnection.beginning(isReadOnly: true)], writes: false
        ) { try !views.differences().isEmpty }
        guard differs else { return false }
        do {
            var isTold = false
            try alone(on: connection) {
                isTold = try !views.hasTable()
                try views.make()
                guard isTold else { return }
                for (key, value) in try layout.modelEntries().sorted(by: { $0.key < $1.key }) {
                    try connection.run(layout.metadataUpsert, .string(key), .string(value))
                }
                try PostgreSQLGeneration.name(try layout.countFollowing(on: connection), on: connection)
            }
            return isTold
        } catch let error as PersistenceError where SQLViews<PostgreSQLConnection>.hindrances.contains(error.code) {
            return false
        }
    }

    /// Runs `body` in a transaction that has the store's metadata and its writing alone, in the order in which everybody takes them.
    private func alone(on connection: PostgreSQLConnection, _ body: () throws -> Void) throws {
        try connection.inTransaction {
            try connection.execute(PostgreSQLGeneration.lockAlone)
            try connection.execute(settings.lock(.alone))
            try body()
        }
    }

    /// What a store is found to be.
    private struct Found {
        let identifier: UUID
        let generation: PostgreSQLGeneration
        /// Whether the store's table says how often it has followed.
        let isNamed: Bool
        let hasToFollow: Bool
    }

    /// Compares the store's model with the one that it is opened with.
    private func look(on connection: PostgreSQLConnection, isReadOnly: Bool) throws -> Found {
        let stored = try SQLStoredModel(on: connection, layout, path: settings.location)
        let (need, mapping) = try stored.need(of: model, path: settings.location)
        guard let identifier = try connection.text(layout.metadataSelection, .string("uuid")).flatMap(UUID.init) else {
            throw error(.corrupt, "the store has no identifier")
        }
        if isReadOnly, need == .migration {
            var error = PersistenceError.needsMigration(mapping?.steps ?? [], "is opened for reading only")
            error.path = settings.location
            throw error
        }
        let generation = PostgreSQLGeneration(number: stored.generation, model: try model.versionHash())
        return Found(
            identifier: identifier, generation: generation, isNamed: try generation.isNamed(on: connection),
            hasToFollow: need != .nothing && !isReadOnly)
    }

    /// Keeps everybody from the store's tables, in a transaction that has its metadata's table and its writing alone: who reads has seen the last of the earlier
    /// rows.
    ///
    /// All at once: who reads or changes one row by one statement has its table before the metadata's, and of two that wait for each other one has to give way
    /// before anything is done.
    func lockTables(on connection: PostgreSQLConnection) throws {
        let tables = try connection.storedTables(layout).map(PostgreSQLSettings.quoted).joined(separator: ", ")
        if !tables.isEmpty { try connection.execute("LOCK TABLE \(tables) IN ACCESS EXCLUSIVE MODE") }
    }

    /// Has the store follow the model, in a transaction that has all of it alone.
    func follow(on connection: PostgreSQLConnection) throws {
        try PostgreSQLLayout.checkNames(of: model, location: settings.location)
        try following(on: connection).run()
        try PostgreSQLGeneration.name(try followings(on: connection), on: connection)
    }

    /// How often the store has followed.
    private func followings(on connection: PostgreSQLConnection) throws -> Int64 {
        try connection.text(layout.metadataSelection, .string(SQLLayout.generationKey)).flatMap { Int64($0) } ?? 0
    }

    func following(on connection: PostgreSQLConnection) -> SQLFollowing<PostgreSQLMigrationEngine> {
        let engine = PostgreSQLMigrationEngine(connection, schema: settings.schema, migration)
        return SQLFollowing(
            to: model, by: engine, migration, dialect: PostgreSQLDialect(server: settings.server),
            path: settings.location)
    }

    /// Makes the store, unless another process is faster.
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

    /// Makes tables, and what they need.
    func makeTables(_ tables: [String], on connection: PostgreSQLConnection) throws {
        try PostgreSQLLayout.checkNames(of: model, location: settings.location)
        // A role may use a schema that it may not make.
        if try connection.number("SELECT 1 FROM pg_namespace WHERE nspname = $1", .string(settings.schema)) == nil {
            try connection.execute("CREATE SCHEMA \(settings.quotedSchema)")
        }
        let statements =
            PostgreSQLFunctions.definitions(settings) + tables + [PostgreSQLGeneration.naming]
        for statement in statements { try connection.execute(statement) }
    }

    /// What a new store says of itself and of its model.
    func entries(identifier: UUID) throws -> [String: String] {
        var entries = try layout.modelEntries()
        entries["uuid"] = identifier.uuidString
        return entries
    }
}
#endif
