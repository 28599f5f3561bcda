import CStrataSQLite
import Foundation
import StrataCore
import StrataModelFiles
import StrataSQL

/// Has the store in a file follow another model, in one transaction: a process killed at any moment leaves the old store or the new one.
struct SQLiteMigration: Sendable {
    let path: String
    let model: ManagedObjectModel
    let options: MigrationOptions
    let busyTimeout: Duration
    let dialect: any SQLDialect
    let durability: Durability
    /// What is free on the disk; told otherwise in tests.
    var room: SQLiteRoom

    init(
        path: String, model: ManagedObjectModel, options: MigrationOptions, busyTimeout: Duration,
        dialect: any SQLDialect, durability: Durability
    ) {
        self.durability = durability
        (self.path, self.model, self.options, self.busyTimeout, self.dialect) = (
            path, model, options, busyTimeout, dialect
        )
        room = SQLiteRoom(path: path)
    }

    /// What a store needs to be one of the model's.
    enum Need: Equatable {
        case nothing
        /// Only what it says of itself, or its indexes.
        case takeOver
        /// Rows have to follow.
        case migration
    }

    /// Compares what a store says of its model with the model.
    static func need(_ stored: SQLiteStoredModel, _ model: ManagedObjectModel, path: String) throws
        -> (need: Need, mapping: ModelMapping?)
    {
        if try stored.isSame(as: model) { return (.nothing, nil) }
        let earlier: ManagedObjectModel
        do { earlier = try stored.model(comparedWith: model, path: path) } catch let error as PersistenceError {
            // What rows depend on is known all the same; a check says that the rest is damaged, and repairs it.
            if stored.image == (try model.json()) { return (.nothing, nil) }
            throw error
        }
        let mapping = ModelMapping(from: earlier, to: model)
        return (mapping.isPhysical || !mapping.obstacles.isEmpty ? .migration : .takeOver, mapping)
    }

    // MARK: Carrying out

    /// Migrates, or takes the model over; where somebody else did meanwhile, nothing happens.
    func run() throws {
        let connection = try SQLiteConnection(path: path, access: .readWrite, busyTimeout: busyTimeout)
        defer { connection.close() }
        // Rows that refer to each other are written table by table; no reference gets another destination.
        try connection.execute("PRAGMA foreign_keys = OFF")
        // As for every other write of the store: whether the commit waits for the disk is said by its durability.
        let isLogged = try connection.text("PRAGMA journal_mode") == "wal"
        if durability == .normal, isLogged { try connection.execute("PRAGMA synchronous = NORMAL") }
        try connection.execute("BEGIN IMMEDIATE")
        var copy: URL?
        do {
            try follow(on: connection, copy: &copy)
            try connection.execute("COMMIT")
        } catch {
            connection.rollBack()
            // Of a store that is as it was nobody needs a copy; one that cannot be removed does no harm.
            if let copy { unlink(copy.path) }
            throw error
        }
        options.didCommit()
    }

    /// Migrates in a transaction that somebody else has begun, with references unchecked, and commits.
    func run(in connection: SQLiteConnection) throws {
        var copy: URL?
        try follow(on: connection, copy: &copy)
    }

    /// What would happen, with what the rows at hand have to say; the store is only read.
    func preview(_ access: SQLiteConnection.Access) throws -> MigrationPreview {
        let connection = try SQLiteConnection(path: path, access: access, busyTimeout: busyTimeout)
        defer { connection.close() }
        try connection.execute("BEGIN")
        defer { connection.rollBack() }
        let stored = try stored(on: connection)
        let (need, mapping) = try Self.need(stored, model, path: path)
        guard let mapping else { return MigrationPreview(steps: []) }
        guard need == .migration, let route = try options.route?(mapping.source, model) else {
            return try check(mapping, on: connection).preview()
        }
        let reader = SQLiteTransaction(
            layout: SQLLayout(model: mapping.source, dialect: dialect), connection: connection)
        return try route.preview(reader: reader, isCancelled: options.isCancelled)
    }

    private func stored(on connection: SQLiteConnection) throws -> SQLiteStoredModel {
        try SQLiteStoredModel(on: connection, SQLLayout(model: model, dialect: dialect), path: path)
    }

    private func check(
        _ mapping: ModelMapping, made: Set<String> = [], on connection: SQLiteConnection
    ) -> MigrationCheck {
        let layout = SQLLayout(model: mapping.source, dialect: dialect)
        return MigrationCheck(
            mapping, reader: SQLiteTransaction(layout: layout, connection: connection), made: made,
            isCancelled: options.isCancelled)
    }

    private func follow(on connection: SQLiteConnection, copy: inout URL?) throws {
        let stored = try stored(on: connection)
        let (need, mapping) = try Self.need(stored, model, path: path)
        guard need != .nothing, let mapping else { return }
        if need == .migration, options.mode == .refuse {
            throw PersistenceError.needsMigration(mapping.steps, "whoever opened it does not let it follow")
        }
        let inferred = MigrationRoute([MigrationRoute.Stage(mapping: mapping)])
        let route = try need == .migration ? options.route?(mapping.source, model) ?? inferred : inferred
        let counter = SQLiteMigrationFunctions.Counter(options)
        try withExtendedLifetime(counter) {
            try SQLiteMigrationFunctions.register(on: connection, counter)
            for (number, stage) in route.stages.enumerated() {
                try judge(stage, on: connection)
                // Nothing has changed yet when the first stage was found to be possible.
                let tables = SQLMigration.rewrittenTables(stage, dialect: dialect)
                let isFirst = number == 0
                try room.check(tables, backup: isFirst ? options.backup : nil, on: connection)
                if isFirst {
                    try backUp()
                    copy = options.backup
                }
                let rows = try rowCount(tables, on: connection)
                counter.add(total: rows)
                try connection.sortingOnThreads(rows: rows) { try apply(stage, on: connection, counter) }
            }
            try write(mapping, after: stored, on: connection)
            if options.isCancelled() { throw CancellationError() }
            counter.end()
            try options.willCommit()
        }
    }

    private func judge(_ stage: MigrationRoute.Stage, on connection: SQLiteConnection) throws {
        var allowed = options
        allowed.drops = options.drops.union(stage.drops)
        try check(stage.mapping, made: Set(stage.transforms.keys), on: connection).run(allowed)
    }

    /// How many rows are written anew.
    private func rowCount(_ tables: [String], on connection: SQLiteConnection) throws -> Int {
        try tables.reduce(0) { sum, table in
            sum + Int(try connection.number("SELECT count(*) FROM \(SQLLayout.quoted(table))") ?? 0)
        }
    }

    private func apply(
        _ stage: MigrationRoute.Stage, on connection: SQLiteConnection, _ counter: SQLiteMigrationFunctions.Counter
    ) throws {
        var code: SQLiteStage?
        for statement in SQLMigration.statements(stage, dialect: dialect, now: .date(Date())) {
            if options.isCancelled() { throw CancellationError() }
            do {
                switch statement {
                case .sql(let sql, let values), .fill(let sql, let values): try run(sql, values, on: connection)
                case .addColumn(let table, let definition):
                    try SQLiteColumnAddition(table: table, definition: definition).run(on: connection)
                case .keepsReferences(let keeps):
                    try connection.execute("PRAGMA legacy_alter_table = \(keeps ? "ON" : "OFF")")
                case .setAside(let names):
                    code = SQLiteStage(
                        stage, tables: names, dialect: dialect, on: connection, counter: counter)
                case .transform(let mapping): try code?.transform(mapping)
                case .finish: try code?.finish()
                }
            } catch let error as PersistenceError where error.message.hasSuffix(SQLiteMigrationFunctions.cancelled) {
                throw CancellationError()
            } catch let error as PersistenceError
                where error.message.hasSuffix(SQLiteMigrationFunctions.unconvertible)
            {
                throw PersistenceError(
                    .corrupt,
                    "a row has a value that its attribute cannot have, which another program wrote; a check of the store names it",
                    path: path)
            }
        }
        try code?.check(options)
        try moveMarks(stage.mapping, made: code?.next ?? [:], on: connection)
    }

    /// Runs a statement that is needed once.
    private func run(_ sql: String, _ values: [StoredValue], on connection: SQLiteConnection) throws {
        let statement = try SQLiteStatement(sql, on: connection)
        defer { statement.finalize() }
        try statement.bind(values)
        while try statement.step() {}
    }

    // MARK: What the store says of itself

    /// Writes the model, the marks of renamed entities, and the generation, which others look at.
    private func write(
        _ mapping: ModelMapping, after stored: SQLiteStoredModel, on connection: SQLiteConnection
    ) throws {
        let layout = SQLLayout(model: model, dialect: dialect)
        for key in try connection.texts(layout.metadataKeys) where key.hasPrefix(SQLLayout.hashPrefix) {
            try connection.run(layout.metadataDeletion, .string(key))
        }
        var entries = try layout.modelEntries()
        // Words that people and files use change nothing for those who have the store open.
        if !mapping.steps.isEmpty {
            entries[SQLLayout.generationKey] = String(stored.generation + 1)
            entries[SQLLayout.versionKey] = try model.versionHash()
            // Another schema is what connections notice, in the transaction in which they read or write next.
            try connection.execute(
                "CREATE TABLE strata_generation (number INTEGER) STRICT; DROP TABLE strata_generation")
        }
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            try connection.run(layout.metadataUpsert, .string(key), .string(value))
        }
        try connection.execute("PRAGMA user_version = \(SQLiteFormat.version)")
    }

    /// Gives the marks of renamed entities, and of those that got rows, to their later names.
    private func moveMarks(
        _ mapping: ModelMapping, made: [String: Int64], on connection: SQLiteConnection
    ) throws {
        let isRenamed = mapping.entities.contains { $0.source?.name != $0.entity.name }
        guard isRenamed || !mapping.removedEntities.isEmpty || !made.isEmpty else { return }
        let layout = SQLLayout(model: mapping.destination, dialect: dialect)
        var marks = made
        for entity in mapping.entities {
            guard let source = entity.source,
                let mark = try connection.number(layout.markSelection, .string(source.name))
            else { continue }
            marks[entity.entity.name] = max(mark, made[entity.entity.name] ?? 1)
        }
        try connection.execute(layout.marksDeletion)
        for (entity, next) in marks.sorted(by: { $0.key < $1.key }) {
            try connection.run(layout.markUpsert, .string(entity), .integer(next))
        }
    }

    // MARK: A copy

    /// Copies the store as it is before the migration, while that holds the writer's lock.
    private func backUp() throws {
        guard let backup = options.backup else { return }
        try SQLiteBackup(from: path, to: backup, busyTimeout: busyTimeout).run(isCancelled: options.isCancelled)
    }
}

extension SQLLayout {
    /// What a store says of its model, by the keys of its metadata.
    func modelEntries() throws -> [String: String] {
        var entries = [Self.modelKey: try model.json(), Self.modelFileKey: ModelFile.text(of: model)]
        for (entity, hash) in try model.entityHashes() { entries[Self.hashPrefix + entity] = hash }
        return entries
    }
}
