import StrataCore

/// The tables of the store itself: what it knows of itself as text by key, and the mark above which no identifier of an entity was given.
extension SQLLayout {
    package static let metadataTable = "strata_metadata"
    package static let sequenceTable = "strata_sequence"

    /// The key of what older versions compare of the model.
    package static let modelKey = "model"
    /// What the keys of the entities' hashes begin with.
    package static let hashPrefix = "hash."
    /// The key of how often the store followed another model; not there before the first time.
    package static let generationKey = "generation"

    /// The key of the model's own hash, since the store followed another one.
    package static let versionKey = "model.version"

    /// The key of the whole model, as a model file.
    package static let modelFileKey = "model.file"

    /// What the keys of users' metadata begin with, so that they never are the store's own.
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

    /// Gives the text of a key.
    package var metadataSelection: String { "SELECT value FROM \(Self.metadataTable) WHERE key = \(parameter(1))" }

    /// Gives all keys.
    package var metadataKeys: String { "SELECT key FROM \(Self.metadataTable)" }

    /// Keeps a text under a key, whether the key is new or not.
    package var metadataUpsert: String {
        "INSERT INTO \(Self.metadataTable) (key, value) VALUES (\(parameters(2))) "
            + "ON CONFLICT (key) DO UPDATE SET value = excluded.value"
    }

    /// Forgets a key.
    package var metadataDeletion: String { "DELETE FROM \(Self.metadataTable) WHERE key = \(parameter(1))" }

    // MARK: Marks

    /// Gives the next identifier of an entity; no row where none was given.
    package var markSelection: String { "SELECT next FROM \(Self.sequenceTable) WHERE entity = \(parameter(1))" }

    /// Forgets all marks.
    package var marksDeletion: String { "DELETE FROM \(Self.sequenceTable)" }

    /// Gives the names of the entities that have a mark.
    package var markedEntities: String { "SELECT entity FROM \(Self.sequenceTable)" }

    /// Raises the next identifier of an entity; never lowers it.
    package var markUpsert: String {
        "INSERT INTO \(Self.sequenceTable) (entity, next) VALUES (\(parameters(2))) ON CONFLICT (entity) DO UPDATE SET next = "
            + dialect.greater("\(Self.sequenceTable).next", "excluded.next")
    }
}
