import StrataCore

/// The rows of a store on its way from one version of a model to the next, for the code of a stage.
///
/// Rows are read and written in blocks, of some thousands or about a megabyte, and never all at once. Of use during the stage only, on its thread.
public final class MigratingRows {
    /// The rows of one version.
    public struct Side {
        private let reader: any StoreReader
        private let entities: EntityCache

        fileprivate init(_ reader: any StoreReader, _ entities: EntityCache) {
            (self.reader, self.entities) = (reader, entities)
        }

        /// The version's model.
        public var model: ManagedObjectModel { reader.model }

        /// An entity of the version: its handles, and what requests in text are about.
        ///
        /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the version has none of that name.
        public func entity(_ name: String) throws -> DynamicEntity { try entities.entity(name) }

        /// A row by its identifier; `nil` where there is none.
        ///
        /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` when the version has no such entity, or what hinders reading.
        public func record(_ entity: String, id: Int64) throws -> DynamicRecord? {
            var found: DynamicRecord?
            let isIt = FetchCondition.compare(.property("id"), .equal, .constant(.integer(id)))
            try fetch(StoreRequest(entity, where: isIt)) { found = $0 }
            return found
        }

        /// Gives the rows that a request selects to `body`, one after the other.
        ///
        /// - Parameters:
        ///   - request: The request, of an ``entity(_:)`` of this side.
        ///   - body: Called with each row; it may read, and add rows to other entities.
        /// - Throws: What `body` throws, or ``PersistenceError``.
        public func fetch(
            _ request: FetchRequest<DynamicRecord>, _ body: (DynamicRecord) throws -> Void
        ) throws {
            try fetch(try request.lowered(), body)
        }

        /// Gives all rows of an entity to `body`, by identifier.
        ///
        /// - Throws: What `body` throws, or ``PersistenceError``.
        public func fetch(_ entity: String, _ body: (DynamicRecord) throws -> Void) throws {
            try fetch(StoreRequest(entity), body)
        }

        /// The identifiers that a many-to-many relationship of an object leads to, in its order.
        ///
        /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a relationship of another kind.
        public func related(_ relationship: String, of entity: String, id: Int64) throws -> [Int64] {
            guard let (join, isSource) = model.join(of: relationship, in: entity) else {
                throw PersistenceError(
                    .invalidRequest, "it is no many-to-many relationship", entity: entity, attribute: relationship)
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

    /// The entities of a version, each resolved once.
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
    /// The rows of the earlier version.
    public let old: Side
    /// The rows of the later version, as far as they are made.
    public let new: Side

    init(_ rows: any StageRows) {
        self.rows = rows
        old = Side(rows.old, EntityCache(rows.old.model))
        new = Side(rows.new, EntityCache(rows.new.model))
    }

    /// Adds a row to the later version.
    ///
    /// - Parameters:
    ///   - entity: The entity's name in the later version.
    ///   - id: The identifier; one that nobody had unless given.
    ///   - values: Values by the attributes' and to-one relationships' names; what is not given has its default, or null.
    /// - Returns: The identifier.
    /// - Throws: ``PersistenceError`` for what the version does not have, and for a row that breaks rules.
    @discardableResult
    public func insert(
        _ entity: String, id: Int64? = nil, _ values: KeyValuePairs<String, (any AttributeValue)?>
    ) throws -> Int64 {
        let described = try new.entity(entity)
        // A row that is to be numbered has the first identifier as long as it has none.
        guard let draftID = DynamicRecord.ID(rawValue: id ?? identifierRange.lowerBound) else {
            throw PersistenceError(.invalidRequest, "\(id ?? 0) is no identifier", entity: entity, attribute: "id")
        }
        let draft = try DynamicRecord(described, id: draftID, values)
        return try rows.insert(draft.values, of: entity, id: id)
    }

    /// Adds a pair to a many-to-many relationship of the later version.
    ///
    /// - Parameters:
    ///   - relationship: The relationship's name.
    ///   - entity: The owner's entity.
    ///   - owner: The owner's identifier.
    ///   - destination: The identifier of what it leads to.
    ///   - position: Its place among the owner's, where the relationship is ordered.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for a relationship of another kind.
    public func relate(
        _ relationship: String, of entity: String, owner: Int64, to destination: Int64, position: Int64? = nil
    ) throws {
        guard let (join, isSource) = new.model.join(of: relationship, in: entity) else {
            throw PersistenceError(
                .invalidRequest, "it is no many-to-many relationship", entity: entity, attribute: relationship)
        }
        let pair =
            isSource ? JoinPair(source: owner, target: destination) : JoinPair(source: destination, target: owner)
        try rows.insert(
            JoinRow(pair, sourcePosition: isSource ? position : nil, targetPosition: isSource ? nil : position),
            of: join)
    }
}
