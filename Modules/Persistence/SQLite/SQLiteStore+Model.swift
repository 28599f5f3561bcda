public import Foundation
public import StrataCore
import StrataModelFiles
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
    /// - Parameter url: The store's file.
    /// - Returns: What the store says of its model.
    /// - Throws: ``PersistenceError`` with the code for what hinders it, as where there is no store, or another program's database.
    public static func storedModel(at url: URL) throws -> StoredModel {
        try checkVersion()
        let opening = SQLiteOpening(
            path: url.path, model: try ManagedObjectModel([]), busyTimeout: .seconds(5), leavesFilesAlone: true)
        return try SQLiteOpenFiles.shared.alone {
            guard try SQLiteFile(path: url.path).inspect() == .store else {
                throw PersistenceError(.storeNotFound, "there is no store", path: url.path)
            }
            try opening.checkLog()
            return try opening.withAccess(isReadOnly: true) { access in
                let connection = try SQLiteConnection(path: url.path, access: access, busyTimeout: .seconds(5))
                defer { connection.close() }
                let layout = SQLLayout(model: opening.model, dialect: opening.dialect)
                try opening.checkOwnTables([SQLLayout.metadataTable], on: connection)
                return StoredModel(
                    image: try opening.storedModel(on: connection),
                    file: try connection.text(layout.metadataSelection, .string(SQLLayout.modelFileKey)))
            }
        }
    }

    /// The statements that make the tables of a model, as a new store runs them.
    public static func schema(of model: ManagedObjectModel) -> [String] {
        SQLLayout(model: model, dialect: SQLiteDialect()).schema()
    }
}
