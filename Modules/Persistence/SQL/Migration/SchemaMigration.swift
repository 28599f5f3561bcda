import Foundation
package import StrataCore
import StrataStoreKit

/// The migration of a store to another model, in the open transaction of an engine's connection.
package struct SchemaMigration<Engine: SQLMigrationEngine> {
    private let engine: Engine
    private let model: ManagedObjectModel
    private let options: MigrationOptions
    private let dialect: any SQLDialect
    private let path: String

    private var connection: Engine.Connection { engine.connection }
    private var layout: SQLLayout { SQLLayout(model: model, dialect: dialect) }

    /// Creates a migration of a store.
    ///
    /// - Parameters:
    ///   - model: The model to which the store is migrated.
    ///   - engine: The engine-specific part of the migration.
    ///   - options: The caller's options for the migration.
    ///   - dialect: The engine's dialect.
    ///   - path: The location of the store, for error messages.
    package init(
        to model: ManagedObjectModel, by engine: Engine, _ options: MigrationOptions, dialect: any SQLDialect,
        path: String
    ) {
        (self.model, self.engine, self.options, self.dialect, self.path) = (model, engine, options, dialect, path)
    }

    /// Migrates the store to the model; if only the metadata differ, updates them; if nothing differs, does nothing.
    ///
    /// - Throws: ``PersistenceError`` if the store cannot be migrated, or `CancellationError`; the caller must then
    ///   roll back the transaction.
    package func run() throws {
        let stored = try SQLStoredModel(on: connection, layout, path: path)
        let (need, mapping) = try stored.need(of: model, path: path)
        guard need != .nothing, let mapping else { return }
        let route = try options.route(along: mapping)
        if need == .migration || route.hasCode, options.mode == .refuse {
            throw PersistenceError.needsMigration(mapping.steps, "the options do not allow a migration")
        }
        let counter = SQLMigrationCounter(options)
        try withExtendedLifetime(counter) {
            try engine.begin(counter)
            // The views are dropped before a table changes. Databases process the views when a table is renamed, or
            // reject the change because of them.
            let views = SQLViews(layout, on: connection)
            let hadViews = try views.hasTable()
            try views.drop()
            for (number, stage) in route.stages.enumerated() {
                try validate(stage)
                // The first stage is checked before anything changes.
                let tables = SQLMigration.rewrittenTables(stage, dialect: dialect)
                try engine.prepare(tables, isFirst: number == 0)
                let rows = try rowCount(tables)
                counter.add(total: rows)
                try connection.buildingIndexes(rows: rows) { try apply(stage, counter) }
            }
            try engine.end(layout, announcesChange: !mapping.steps.isEmpty)
            try write(mapping, after: stored, announcesChange: !mapping.steps.isEmpty || !hadViews)
            try views.make()
            if !mapping.steps.isEmpty { try record(mapping) }
            if options.isCancelled() { throw CancellationError() }
            counter.end()
            try options.willCommit()
        }
    }

    /// Returns the steps of the migration and the problems of existing rows; does not change the store.
    package func preview() throws -> MigrationPreview {
        let stored = try SQLStoredModel(on: connection, layout, path: path)
        let (need, mapping) = try stored.need(of: model, path: path)
        guard need != .nothing, let mapping else { return MigrationPreview(steps: []) }
        let reader = SQLTransaction(layout: SQLLayout(model: mapping.source, dialect: dialect), connection: connection)
        return try options.route(along: mapping).preview(reader: reader, isCancelled: options.isCancelled)
    }

    private func check(_ mapping: ModelMapping, made: Set<String> = []) -> MigrationCheck {
        let layout = SQLLayout(model: mapping.source, dialect: dialect)
        return MigrationCheck(
            mapping, reader: SQLTransaction(layout: layout, connection: connection), made: made,
            isCancelled: options.isCancelled)
    }

    private func validate(_ stage: MigrationRoute.Stage) throws {
        var allowed = options
        allowed.drops = options.drops.union(stage.drops)
        try check(stage.mapping, made: Set(stage.transforms.keys)).run(allowed)
    }

    /// Returns the total count of rows in tables.
    private func rowCount(_ tables: [String]) throws -> Int {
        try tables.reduce(0) { sum, table in
            sum + Int(try connection.number("SELECT count(*) FROM \(SQLLayout.quoted(table))") ?? 0)
        }
    }

    private func apply(_ stage: MigrationRoute.Stage, _ counter: SQLMigrationCounter) throws {
        var code: SQLStage<Engine.Connection>?
        for statement in SQLMigration.statements(stage, dialect: dialect, now: .date(Date())) {
            if options.isCancelled() { throw CancellationError() }
            switch statement {
            case .setAside(let names):
                code = SQLStage(stage, options, tables: names, dialect: dialect, on: connection, counter: counter)
            case .transform(let mapping): try code?.transform(mapping)
            case .finish: try code?.finish()
            case .sql, .addColumn, .fill, .convert, .keepsReferences: try engine.run(statement, counter)
            }
        }
        try code?.check(options)
        try moveMarks(stage.mapping, made: code?.next ?? [:])
    }

    /// Records in the history that any row may have changed, and renames entities in the earlier entries.
    private func record(_ mapping: ModelMapping) throws {
        let level = try layout.historyLevel(on: connection)
        let process = SQLHistoryRecorder.newProcess()
        guard let history = SQLHistoryRecorder(level, process: process, in: layout, on: connection) else { return }
        let renamed = mapping.entities.compactMap { mapping in mapping.source.map { ($0.name, mapping.entity.name) } }
            .filter { $0.0 != $0.1 }
        // Two entities may exchange their names. No entity has a name with a space.
        for (old, new) in renamed { try rename(old, to: "renamed \(new)") }
        for (_, new) in renamed { try rename("renamed \(new)", to: new) }
        for name in model.entities.map(\.name) + model.joins.map(\.name) { try history.everything(name) }
        try history.finish()
    }

    private func rename(_ entity: String, to name: String) throws {
        try connection.run(
            "UPDATE \(SQLLayout.historyChangeTable) SET entity = \(layout.parameter(1)) "
                + "WHERE entity = \(layout.parameter(2))", .string(name), .string(entity))
    }

    // MARK: Metadata

    /// Writes the new model, the next identifiers of renamed entities, and the generation, by which other processes
    /// detect the migration.
    private func write(_ mapping: ModelMapping, after stored: SQLStoredModel, announcesChange: Bool) throws {
        for key in try connection.texts(layout.metadataKeys) where key.hasPrefix(SQLLayout.hashPrefix) {
            try connection.run(layout.metadataDeletion, .string(key))
        }
        var entries = try layout.modelEntries()
        // Changes of labels and file names do not affect processes that have the store open.
        if announcesChange {
            entries[SQLLayout.generationKey] = String(stored.generation + 1)
            entries[SQLLayout.versionKey] = try model.versionHash()
        }
        for (key, value) in entries.sorted(by: { $0.key < $1.key }) {
            try connection.run(layout.metadataUpsert, .string(key), .string(value))
        }
    }

    /// Stores the next identifiers of renamed entities, and of entities that received rows, under the entities' new
    /// names.
    private func moveMarks(_ mapping: ModelMapping, made: [String: Int64]) throws {
        let isRenamed = mapping.entities.contains { $0.source?.name != $0.entity.name }
        let renumbered = mapping.entities.filter { $0.identifier != nil }
        guard isRenamed || !mapping.removedEntities.isEmpty || !made.isEmpty || !renumbered.isEmpty else { return }
        let layout = SQLLayout(model: mapping.destination, dialect: dialect)
        var marks = made
        for entity in mapping.entities {
            guard let source = entity.source,
                let mark = try connection.number(layout.markSelection, .string(source.name))
            else { continue }
            marks[entity.entity.name] = max(mark, made[entity.entity.name] ?? 1)
        }
        for entity in renumbered.map(\.entity.name) {
            let greatest = try connection.number("SELECT max(\(layout.idColumn)) FROM \(layout.table(entity))") ?? 0
            marks[entity] = max(marks[entity] ?? 1, greatest + 1)
        }
        try connection.execute(layout.marksDeletion)
        for (entity, next) in marks.sorted(by: { $0.key < $1.key }) {
            try connection.run(layout.markUpsert, .string(entity), .integer(next))
        }
    }
}
