import Foundation
import StrataCore
import StrataInMemory
import StrataPersistence
import StrataSQLite
import StrataStoreKit
import StrataTesting
import Testing

/// The kinds of stores that are migrated.
enum StoreKind: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case sqlite, inMemory, xml, binary
    #if PostgreSQL
    case postgreSQL

    /// The server that `make test-postgres` starts.
    private static let server = ProcessInfo.processInfo.environment["STRATA_POSTGRESQL"]
    static let allCases: [StoreKind] = [.sqlite, .inMemory, .xml, .binary] + (server == nil ? [] : [.postgreSQL])
    #endif

    var testDescription: String { rawValue }

    /// A Boolean value that indicates whether the store can be checked after closing; an in-memory store does not exist
    /// then.
    var isChecked: Bool { self != .inMemory }

    /// Returns the description of the store in a file or with a name on the server; an in-memory store has no location.
    func description(_ url: URL) -> PersistentStoreDescription {
        switch self {
        case .sqlite: .sqlite(at: url)
        case .inMemory: .inMemory
        case .xml: .xml(at: url)
        case .binary: .binary(at: url)
        #if PostgreSQL
        // The end of a schema's name distinguishes the folders.
        case .postgreSQL: .postgreSQL(Self.server ?? "", schema: String(url.path.suffix(60)))
        #endif
        }
    }
}

/// A store of an earlier model with rows, of any kind.
struct EarlierStore {
    let kind: StoreKind
    let model: ManagedObjectModel
    let folder: TemporaryFolder
    private let prepared: InMemoryStore?

    /// The location of the store's file.
    var url: URL { folder.file("store.sqlite") }

    init(
        _ kind: StoreKind, _ entities: [EntityDescription], rows: [String: [Int64: [StoredValue]]] = [:],
        pairs: [String: [JoinRow]] = [:]
    ) throws {
        try self.init(kind, try ManagedObjectModel(entities), rows: rows, pairs: pairs)
    }

    init(
        _ kind: StoreKind, _ model: ManagedObjectModel, rows: [String: [Int64: [StoredValue]]] = [:],
        pairs: [String: [JoinRow]] = [:]
    ) throws {
        self.kind = kind
        self.model = model
        folder = try TemporaryFolder()
        var changes = ChangeSet()
        for (entity, rows) in rows {
            changes[entity].insertions = rows.sorted { $0.key < $1.key }.map {
                ChangeSet.Insertion(id: $0.key, values: $0.value)
            }
        }
        for (join, pairs) in pairs {
            var added = JoinChanges()
            added.added = pairs
            changes.joins[join] = added
        }
        let store: any PersistentStore
        switch kind {
        case .inMemory:
            let memory = InMemoryStore(model: model)
            (prepared, store) = (memory, memory)
        default:
            prepared = nil
            store = try PersistentContainer(
                model: model, kind.description(folder.file("store.sqlite")), mainQueue: .private
            ).coordinator.store
        }
        _ = try store.save(changes)
        if kind != .inMemory { try store.close() }
    }

    var description: PersistentStoreDescription {
        prepared.map { .inMemory(copyOf: $0) } ?? kind.description(url)
    }

    /// Opens the store with another model, as a container does.
    func open(_ model: ManagedObjectModel, _ options: MigrationOptions = MigrationOptions()) throws
        -> any PersistentStore
    {
        var description = description
        description.migration = options
        return try PersistentContainer(model: model, description, mainQueue: .private).coordinator.store
    }

    func open(
        _ entities: [EntityDescription], _ options: MigrationOptions = MigrationOptions()
    ) throws -> any PersistentStore {
        try open(try ManagedObjectModel(entities), options)
    }

    func preview(_ entities: [EntityDescription]) throws -> MigrationPreview {
        try PersistentContainer.canMigrate(model: try ManagedObjectModel(entities), description)
    }
}

extension PersistentStore {
    /// Returns the rows of an entity by their identifiers.
    func values(_ entity: String) throws -> [Int64: [StoredValue]] {
        Dictionary(uniqueKeysWithValues: try rows(StoreRequest(entity)).map { ($0.id, $0.values) })
    }
}

/// Returns an attribute.
func attribute(
    _ name: String, _ type: AttributeType = .string, optional: Bool = true, default value: DefaultValue? = nil,
    rules: [AttributeRule] = [], unique: Bool = false, indexed: Bool = false, from earlier: String...
) -> EntityDescription.Property {
    .attribute(
        AttributeDescription(
            name, type, isOptional: optional, defaultValue: value, rules: rules, isUnique: unique, isIndexed: indexed,
            renamedFrom: earlier))
}

/// Returns a relationship.
func relationship(
    _ name: String, to destination: String, _ cardinality: RelationshipDescription.Cardinality = .toOne,
    inverse: String? = nil, optional: Bool = true, ordered: Bool = false, by orderingAttribute: String? = nil,
    keepsKey: Bool = true, minimum: Int = 0, maximum: Int? = nil, from earlier: String...
) -> EntityDescription.Property {
    .relationship(
        RelationshipDescription(
            name, to: destination, cardinality, inverse: inverse, isOptional: optional, minimumCount: minimum,
            maximumCount: maximum, isOrdered: ordered, orderingAttribute: orderingAttribute,
            ownsForeignKey: keepsKey, renamedFrom: earlier))
}

/// Returns the error that a call throws.
func failure(_ body: () throws -> Void) -> PersistenceError? {
    do { try body() } catch { return error as? PersistenceError }
    return nil
}
