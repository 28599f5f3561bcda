import StrataCore
import StrataStoreKit

/// The rows of a store during the migration from one model version to the next, for the closures of a stage.
///
/// Rows are read and written in blocks of some thousands of rows or about one megabyte, so that never all rows are in
/// memory. Use this object only inside the closures of the stage and on their thread.
///
/// ## Topics
///
/// ### Reading rows
///
/// - ``old``
/// - ``new``
/// - ``Side``
///
/// ### Adding rows
///
/// - ``insert(_:id:_:)``
/// - ``relate(_:of:owner:to:position:)``
public final class MigratingRows {
    /// The rows of one model version.
    ///
    /// ## Topics
    ///
    /// - ``model``
    /// - ``entity(_:)``
    /// - ``record(_:id:)``
    /// - ``related(_:of:id:)``
    public struct Side {
        private let reader: any StoreReader
        private let entities: EntityCache

        fileprivate init(_ reader: any StoreReader, _ entities: EntityCache) {
            (self.reader, self.entities) = (reader, entities)
        }

        /// The model of this version.
        public var model: ManagedObjectModel { reader.model }

        /// Returns the entity with a name in this model version, for attribute handles and text requests.
        ///
        /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model version has
        ///   no such entity.
        public func entity(_ name: String) throws -> DynamicEntity { try entities.entity(name) }

        /// Returns the row with an identifier as a record, or `nil` if the entity has no such row.
        ///
        /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the model version has
        ///   no such entity, or the error of reading the row.
        public func record(_ entity: String, id: Int64) throws -> DynamicRecord? {
            var found: DynamicRecord?
            let isIt = FetchCondition.compare(.property("id"), .equal, .constant(.integer(id)))
            try fetch(StoreRequest(entity, where: isIt)) { found = $0 }
            return found
        }

        /// Calls `body` with each row that a request selects, as a record.
        ///
        /// - Parameters:
        ///   - request: The request, which must be for an ``entity(_:)`` of the same model version.
        ///   - body: A closure that receives each row. It may read rows and add rows to other entities.
        /// - Throws: The error of `body`, or ``PersistenceError`` if rows cannot be read.
        public func fetch(
            _ request: FetchRequest<DynamicRecord>, _ body: (DynamicRecord) throws -> Void
        ) throws {
            try fetch(try request.lowered(), body)
        }

        /// Calls `body` with all rows of an entity as records, in the order of their identifiers.
        ///
        /// - Throws: The error of `body`, or ``PersistenceError`` if rows cannot be read.
        public func fetch(_ entity: String, _ body: (DynamicRecord) throws -> Void) throws {
            try fetch(StoreRequest(entity), body)
        }

        /// Returns the identifiers of the objects that a many-to-many relationship of an object references, in the
        /// relationship's order.
        ///
        /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the relationship is not
        ///   many-to-many.
        public func related(_ relationship: String, of entity: String, id: Int64) throws -> [Int64] {
            guard let (join, isSource) = model.join(of: relationship, in: entity) else {
                throw PersistenceError(
                    .invalidRequest, "the relationship is not many-to-many", entity: entity, attribute: relationship)
            }
            let side: JoinRequest.Side = isSource ? .source : .target
            let rows = try reader.joins(JoinRequest(join.name, of: side, ids: [id]))
            return rows.map { isSource || join.isSymmetric ? $0.pair.target : $0.pair.source }
        }

        private func fetch(_ request: StoreRequest, _ body: (DynamicRecord) throws -> Void) throws {
            let entity = try entities.entity(request.entity)
            let read = entity.read
            try reader.fetch(request) { row in
                try body(try read(row))
                return .next
            }
        }
    }

    /// The entities of a model version that were looked up so far; each entity is created once.
    fileprivate final class EntityCache {
        private let model: ManagedObjectModel
        private var known: [String: DynamicEntity] = [:]

        init(_ model: ManagedObjectModel) { self.model = model }

        func entity(_ name: String) throws -> DynamicEntity {
            if let entity = known[name] { return entity }
            let entity = try model.dynamicEntity(name)
            known[name] = entity
            return entity
        }
    }

    private let rows: any StageRows
    /// The rows of the earlier model version, which are only read.
    public let old: Side
    /// The rows of the later model version that the migration has written until now.
    public let new: Side

    init(_ rows: any StageRows) {
        self.rows = rows
        old = Side(rows.old, EntityCache(rows.old.model))
        new = Side(rows.new, EntityCache(rows.new.model))
    }

    /// Adds a row to an entity of the later model version.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity in the later model version.
    ///   - id: The identifier of the row (default: an unused identifier).
    ///   - values: The values by the names of attributes and to-one relationships. A property without a value has the
    ///     attribute's default, or null if there is no default.
    /// - Returns: The identifier of the row.
    /// - Throws: ``PersistenceError`` if the later model version has no such entity or property, or if the row breaks a
    ///   rule.
    @discardableResult
    public func insert(
        _ entity: String, id: Int64? = nil, _ values: KeyValuePairs<String, (any AttributeValue)?>
    ) throws -> Int64 {
        let described = try new.entity(entity)
        // A draft needs an identifier. Until the store assigns one, the draft has the first identifier.
        guard let draftID = DynamicRecord.ID(rawValue: id ?? identifierRange.lowerBound) else {
            throw PersistenceError(.invalidRequest, "\(id ?? 0) is not an identifier", entity: entity, attribute: "id")
        }
        let draft = try DynamicRecord(described, id: draftID, values)
        return try rows.insert(draft.values, of: entity, id: id)
    }

    /// Adds a join row to a many-to-many relationship of the later model version.
    ///
    /// - Parameters:
    ///   - relationship: The name of the relationship.
    ///   - entity: The name of the owner's entity.
    ///   - owner: The identifier of the owner.
    ///   - destination: The identifier of the related object.
    ///   - position: The sort key of the related object among the owner's objects, if the relationship is ordered.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the relationship is not
    ///   many-to-many.
    public func relate(
        _ relationship: String, of entity: String, owner: Int64, to destination: Int64, position: Int64? = nil
    ) throws {
        guard let (join, isSource) = new.model.join(of: relationship, in: entity) else {
            throw PersistenceError(
                .invalidRequest, "the relationship is not many-to-many", entity: entity, attribute: relationship)
        }
        let pair =
            isSource ? JoinPair(source: owner, target: destination) : JoinPair(source: destination, target: owner)
        try rows.insert(
            JoinRow(pair, sourcePosition: isSource ? position : nil, targetPosition: isSource ? nil : position),
            of: join)
    }
}
