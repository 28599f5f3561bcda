import StrataCore

/// The store's own tables: the metadata, which are texts by their keys, and the next identifiers of the entities.
extension SQLLayout {
    package static let metadataTable = "strata_metadata"
    package static let sequenceTable = "strata_sequence"

    /// The metadata key of the model text that older versions of Strata compare with their model.
    package static let modelKey = "model"
    /// The prefix of the metadata keys of the entities' hashes; the entity's name follows.
    package static let hashPrefix = "hash."
    /// The metadata key of the count of the store's migrations; the entry is missing before the first migration.
    package static let generationKey = "generation"

    /// The metadata key of the hash of the whole model; the entry exists since the store's first migration.
    package static let versionKey = "model.version"

    /// The metadata key of the complete model as a model file.
    package static let modelFileKey = "model.file"

    /// The prefix of the metadata keys of user metadata, which distinguishes them from the store's own keys.
    package static let userKeyPrefix = "user "

    /// The columns of the store's own tables, by the tables' names.
    package static let ownColumns = [(metadataTable, ["key", "value"]), (sequenceTable, ["entity", "next"])]

    func ownTables() -> [String] {
        let (text, integer) = (dialect.columnType(.string), dialect.columnType(.integer64))
        let tables = [
            (Self.metadataTable, "key \(text) NOT NULL PRIMARY KEY, value \(text) NOT NULL"),
            (Self.sequenceTable, "entity \(text) NOT NULL PRIMARY KEY, next \(integer) NOT NULL"),
        ]
        return tables.map { name, columns in "CREATE TABLE \(name) (\(columns))" + dialect.tableOptions(keyColumns: 1) }
    }

    // MARK: Metadata

    /// The query for the text of a metadata key.
    package var metadataSelection: String { "SELECT value FROM \(Self.metadataTable) WHERE key = \(parameter(1))" }

    /// The query for all metadata keys.
    package var metadataKeys: String { "SELECT key FROM \(Self.metadataTable)" }

    /// The statement that stores a text for a metadata key, and replaces an existing text.
    package var metadataUpsert: String {
        "INSERT INTO \(Self.metadataTable) (key, value) VALUES (\(parameters(2))) "
            + "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    }

    /// The statement that deletes the metadata entry of a key.
    package var metadataDeletion: String { "DELETE FROM \(Self.metadataTable) WHERE key = \(parameter(1))" }

    // MARK: Marks

    /// The query for the next identifier of an entity; it returns no row if the entity has no stored next identifier.
    package var markSelection: String { "SELECT next FROM \(Self.sequenceTable) WHERE entity = \(parameter(1))" }

    /// The statement that deletes the next identifiers of all entities.
    package var marksDeletion: String { "DELETE FROM \(Self.sequenceTable)" }

    /// The query for the names of the entities that have a stored next identifier.
    package var markedEntities: String { "SELECT entity FROM \(Self.sequenceTable)" }

    /// The statement that raises the next identifier of an entity, and never lowers it.
    package var markUpsert: String {
        "INSERT INTO \(Self.sequenceTable) (entity, next) VALUES (\(parameters(2))) ON CONFLICT (entity) DO UPDATE SET next = "
            + dialect.greater("\(Self.sequenceTable).next", "excluded.next")
    }
}
