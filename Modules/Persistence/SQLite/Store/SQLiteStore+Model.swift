public import Foundation
public import StrataCore
import StrataSQL

extension SQLiteStore {
    /// The model that a store's metadata contain.
    public struct StoredModel: Sendable, Hashable {
        /// The text that is compared when the store is opened, in the form of ``ManagedObjectModel/json()``.
        public let image: String
        /// The whole model as a model file; `nil` in stores of versions that did not store it.
        public let file: String?
    }

    /// Reads the model of a store without any change to the store.
    ///
    /// Use this method to open a store whose model the program does not know: `ModelFile` of StrataModelFiles reads
    /// ``StoredModel/file``.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - busyTimeout: The time to wait for another connection's lock.
    /// - Returns: The stored model.
    /// - Throws: ``PersistenceError`` if the store cannot be read, for example because there is no store or the file is
    ///   another program's database.
    public static func storedModel(at url: URL, busyTimeout: Duration = .seconds(5)) throws -> StoredModel {
        try looking(at: url, busyTimeout: busyTimeout) { opening, connection in
            let stored = try SQLStoredModel(on: connection, opening.layout, path: url.path)
            return StoredModel(image: stored.image, file: stored.file)
        }
    }

    /// Reads the metadata of a store without its model and without any change to the store.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - busyTimeout: The time to wait for another connection's lock.
    /// - Returns: The metadata.
    /// - Throws: The errors of ``storedModel(at:busyTimeout:)``; ``PersistenceError`` with code
    ///   ``PersistenceError/Code/corrupt`` if the stored model is invalid.
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

    /// Runs `body` with a connection that reads a store without any change to the store.
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

    /// Returns the steps that the opening of a store with another model would perform; the method only reads the store.
    ///
    /// - Parameters:
    ///   - url: The store's file.
    ///   - model: The other model.
    ///   - options: The options of the migration, which is not performed.
    ///   - busyTimeout: The time to wait for another connection's lock.
    /// - Returns: The steps of the migration; there are none if the store has this model.
    /// - Throws: ``PersistenceError`` if the store cannot be read or migrated.
    /// - Complexity: O(*n*), where *n* is the number of rows whose values have new rules or types, or the time to count
    ///   them.
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

    /// Returns the statements that create the tables of a model, as a new store runs them.
    ///
    /// The statements are for people and other tools. A file that another program creates with them is not a store,
    /// because it lacks the store's identifier and its other metadata.
    ///
    /// - Parameter model: The model.
    /// - Returns: The statements, without semicolons at their ends.
    public static func schema(of model: ManagedObjectModel) -> [String] {
        SQLLayout(model: model, dialect: SQLiteDialect()).schema()
    }
}
