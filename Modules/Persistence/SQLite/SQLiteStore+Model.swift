public import Foundation
public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// What a store says of the model it was made with.
    public struct StoredModel: Sendable, Hashable {
        /// What is compared when the store is opened, as ``ManagedObjectModel/json()`` gives it.
        public let image: String
        /// The whole model as a model file; `nil` in stores that were made before these kept it.
        public let file: String?
    }

    /// Reads the model of a store, and leaves the store as it is.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - busyTimeout: How long to wait for another connection's lock.
    /// - Returns: What the store says of its model.
    /// - Throws: ``PersistenceError`` with the code for what hinders it, as where there is no store, or another program's database.
    public static func storedModel(at url: URL, busyTimeout: Duration = .seconds(5)) throws -> StoredModel {
        try looking(at: url, busyTimeout: busyTimeout) { opening, connection in
            let stored = try SQLStoredModel(on: connection, opening.layout, path: url.path)
            return StoredModel(image: stored.image, file: stored.file)
        }
    }

    /// What a store says of itself, read without its model; the store is left as it is.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - busyTimeout: How long to wait for another connection's lock.
    /// - Returns: What it says.
    /// - Throws: As ``storedModel(at:busyTimeout:)``; ``PersistenceError`` with code ``PersistenceError/Code/corrupt`` where what it says of its model is none.
    public static func metadata(at url: URL, busyTimeout: Duration = .seconds(5)) throws -> StoreMetadata {
        try looking(at: url, busyTimeout: busyTimeout) { opening, connection in
            try connection.execute("BEGIN")
            defer { connection.rollBack() }
            let layout = opening.layout
            let stored = try SQLStoredModel(on: connection, layout, path: url.path)
            guard let identifier = try connection.text(layout.metadataSelection, .string("uuid")).flatMap(UUID.init)
            else { throw PersistenceError(.corrupt, "the store has no identifier", path: url.path) }
            var texts: [String: String] = [:]
            for key in try connection.texts(layout.metadataKeys) where key.hasPrefix(SQLLayout.userKeyPrefix) {
                texts[String(key.dropFirst(SQLLayout.userKeyPrefix.count))] = try connection.text(
                    layout.metadataSelection, .string(key))
            }
            return StoreMetadata(
                information: try connection.information(identifier),
                modelImage: stored.image, modelFile: stored.file,
                model: try stored.file == nil ? nil : stored.model(comparedWith: opening.model, path: url.path),
                texts: texts)
        }
    }

    /// Runs `body` with a connection that reads a store, which is left as it is.
    private static func looking<Result: Sendable>(
        at url: URL, busyTimeout: Duration, _ body: (SQLiteOpening, SQLiteConnection) throws -> Result
    ) throws -> Result {
        try checkVersion()
        let opening = SQLiteOpening(
            path: url.path, model: try ManagedObjectModel([]), busyTimeout: busyTimeout, leavesFilesAlone: true)
        return try SQLiteOpenFiles.shared.alone {
            guard try SQLiteFile(path: url.path).inspect() == .store else {
                throw PersistenceError(.storeNotFound, "there is no store", path: url.path)
            }
            try opening.checkLog()
            return try opening.withAccess(isReadOnly: true) { access in
                let connection = try SQLiteConnection(path: url.path, access: access, busyTimeout: busyTimeout)
                defer { connection.close() }
                try opening.checkOwnTables([SQLLayout.metadataTable], on: connection)
                return try body(opening, connection)
            }
        }
    }

    /// What would happen if a store were opened with another model; it is only read.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - model: The other model.
    ///   - options: What whoever opens it would let happen; nothing of it does.
    ///   - busyTimeout: How long to wait for another connection's lock.
    /// - Returns: What would happen; no step where the store is the model's.
    /// - Throws: ``PersistenceError`` with the code for what hinders it.
    /// - Complexity: O(*n*) in the rows whose values have new rules or types, or what the store takes to count them.
    public static func previewMigration(
        at url: URL, to model: ManagedObjectModel, options: MigrationOptions = MigrationOptions(),
        busyTimeout: Duration = .seconds(5)
    ) throws -> MigrationPreview {
        try checkVersion()
        let opening = SQLiteOpening(path: url.path, model: model, busyTimeout: busyTimeout, migration: options)
        let registration = try SQLiteOpenFiles.shared.alone {
            guard try SQLiteFile(path: url.path).inspect() == .store else {
                throw PersistenceError(.storeNotFound, "there is no store", path: url.path)
            }
            try opening.checkLog()
            return SQLiteOpenFiles.shared.register(url.path)
        }
        return try withExtendedLifetime(registration) {
            try opening.withAccess(isReadOnly: true) { try opening.steps.preview($0) }
        }
    }

    /// The statements that make the tables of a model, as a new store runs them.
    public static func schema(of model: ManagedObjectModel) -> [String] {
        SQLLayout(model: model, dialect: SQLiteDialect()).schema()
    }
}
