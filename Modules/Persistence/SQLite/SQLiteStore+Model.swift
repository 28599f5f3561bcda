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
                let stored = try SQLiteStoredModel(on: connection, opening.layout, path: url.path)
                return StoredModel(image: stored.image, file: stored.file)
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
            return SQLiteOpenFiles.shared.register(url.path)
        }
        return try withExtendedLifetime(registration) { try opening.steps.preview() }
    }

    /// The statements that make the tables of a model, as a new store runs them.
    public static func schema(of model: ManagedObjectModel) -> [String] {
        SQLLayout(model: model, dialect: SQLiteDialect()).schema()
    }
}
