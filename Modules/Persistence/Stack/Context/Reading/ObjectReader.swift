import StrataCore
import StrataStoreKit

/// A reader of the objects of a context: it executes requests in the parent context or the store, and merges the
/// unsaved changes of the context into the results.
///
/// The reader creates at most one object for each row. It has no state of its own: it fills the registry and reads the
/// unsaved changes. A read applies no pending delete rules; its callers do that first. The reader is confined to the
/// context's queue.
final class ObjectReader {
    let registry: ObjectRegistry
    let pending: PendingChanges
    let readAhead: ReadAheadData
    let hooks: HookRunner
    let coordinator: PersistentStoreCoordinator
    /// The rows that the context reads if it has no parent.
    let source: ContextRows
    /// The reader of the parent context, or `nil` if the context reads from the store.
    let parent: ObjectReader?

    init(
        registry: ObjectRegistry, pending: PendingChanges, readAhead: ReadAheadData, hooks: HookRunner,
        coordinator: PersistentStoreCoordinator, parent: ObjectReader?
    ) {
        self.registry = registry
        self.pending = pending
        self.readAhead = readAhead
        self.hooks = hooks
        self.coordinator = coordinator
        source = ContextRows(coordinator, name: registry.name)
        self.parent = parent
    }

    var model: ManagedObjectModel { registry.model }

    // MARK: Requests

    func fetch<Record: ManagedRecord>(
        _ request: StoreRequest, of entity: RecordEntity<Record>, _ report: UnreadableRowReport? = nil
    ) throws -> [Managed<Record>] {
        let identityMap = try registry.identityMap(of: entity)
        guard try isTouchedByChanges(request) else { return try readObjects(request, identityMap, of: entity, report) }
        let resolved = try request.resolved(in: model)
        let candidates: [Managed<Record>]
        if try traversesChanges(request) {
            candidates = try candidatesAcrossRelationships(request, identityMap, of: entity, report)
        } else {
            // Rows with pending changes are evaluated in memory by their current values. The limit and the offset apply
            // after the merge.
            let narrowed = request.beforeMerging(excluding: identityMap.storedPendingIDs)
            candidates = try readObjects(narrowed, identityMap, of: entity, report).filter {
                $0.state != .inserted && $0.state != .deleted
            }
        }
        let matching = try pendingObjects(request, identityMap).compactMap { $0 as? Managed<Record> }
        return resolved.window(try sorted(candidates + matching, by: resolved.sort, in: identityMap))
    }

    func count<Record: ManagedRecord>(_ request: StoreRequest, of entity: RecordEntity<Record>) throws -> Int {
        guard try isTouchedByChanges(request) else {
            if let parent { return try parent.count(request, of: entity) }
            return try source.count(request)
        }
        try request.validate(in: model)
        var unlimited = request
        (unlimited.limit, unlimited.offset, unlimited.sort) = (nil, 0, [])
        let total: Int
        if try traversesChanges(request) {
            total = try fetch(unlimited, of: entity).count
        } else {
            let identityMap = try registry.identityMap(of: entity)
            let pending = try pendingObjects(request, identityMap).count
            let stored = unlimited.excluding(identityMap.storedPendingIDs)
            total = pending + (try parent?.count(stored, of: entity) ?? source.count(stored))
        }
        return max(0, min(total - request.offset, request.limit ?? Int.max))
    }

    /// Returns the values of each result of a selection.
    ///
    /// The parent context or the store evaluates the selection, unless unsaved changes can affect it.
    func values<Record: ManagedRecord>(
        _ selection: StoreSelection, of entity: RecordEntity<Record>
    ) throws -> [[StoredValue]] {
        var results: [[StoredValue]] = []
        guard try isTouchedByChanges(selection.traversing) else {
            if let parent { return try parent.values(selection, of: entity) }
            var reading = CancellableReading()
            try source.select(selection) { values in
                try reading.next()
                results.append(values)
                return .next
            }
            return results
        }
        let resolved = try selection.resolved(in: model)
        var evaluation = try SelectionEvaluation(resolved, relatives: self)
        for object in try fetch(selection.evaluatedRows, of: entity) {
            let values = try evaluation.add(object.rawID, object.typed.currentRow().values)
            if let values { results.append(values) }
        }
        return try (results + evaluation.groups()).map(try resolved.resultTerms())
    }

    /// Returns the references from objects to their parents along a relationship of an entity to itself.
    ///
    /// The store finds all levels of a one-to-many relationship, unless the context has unsaved changes of the entity.
    func edges<Record: ManagedRecord>(
        from ids: [Int64], through name: String, of entity: RecordEntity<Record>, isUpward: Bool
    ) throws -> [TreeEdge] {
        let (relationship, destination, storage) = try model.relationship(name, of: entity.description)
        guard destination.name == entity.name else {
            throw PersistenceError(
                .invalidRequest, "the relationship leads to another entity, \(destination.name)", entity: entity.name,
                attribute: name)
        }
        switch storage {
        case .inverseColumn(let column):
            if parent == nil, try !isTouchedByChanges(StoreRequest(entity.name)) {
                return try source.edges(
                    TreeRequest(destination, parentColumn: column, starts: ids, isUpward: isUpward))
            }
            let inverse = destination.columns[column].name
            return try TreeEdge.edges(from: ids, isUpward: isUpward) { level in
                try values(.edges(entity.name, parent: inverse, level: level, isUpward: isUpward), of: entity)
                    .compactMap(TreeEdge.init)
            }
        case .join(let join, let isSource):
            return try TreeEdge.edges(from: ids, isUpward: isUpward) { level in
                // The owner of a symmetric join row is always its source.
                let ownsSource = join.isSymmetric || isSource != isUpward
                let side: JoinRequest.Side = ownsSource ? .source : .target
                let rows = try joins(JoinRequest(join.name, of: side, ids: level))
                return rows.map { row in
                    let (source, target) = (row.pair.source, row.pair.target)
                    let (owner, other) = ownsSource ? (source, target) : (target, source)
                    return isUpward ? TreeEdge(child: owner, parent: other) : TreeEdge(child: other, parent: owner)
                }
            }
        case .ownColumn:
            throw PersistenceError(
                .invalidRequest, "a tree requires the relationship from a parent to its children", entity: entity.name,
                attribute: relationship.name)
        }
    }

    func identifiers<Record: ManagedRecord>(
        _ request: StoreRequest, of entity: RecordEntity<Record>
    ) throws -> [Int64] {
        try versions(request, of: entity).map(\.id)
    }

    /// Returns the identifiers and versions of the objects that a request selects.
    func versions<Record: ManagedRecord>(
        _ request: StoreRequest, of entity: RecordEntity<Record>
    ) throws -> [(id: Int64, version: Int64)] {
        guard try isTouchedByChanges(request) else {
            if let parent { return try parent.versions(request, of: entity) }
            var versions: [(id: Int64, version: Int64)] = []
            var reading = CancellableReading()
            try source.fetch(request) { row in
                try reading.next()
                versions.append((row.rawID, row.version))
                return .next
            }
            return versions
        }
        return try fetch(request, of: entity).map { ($0.rawID, $0.version) }
    }

    /// Fetches the objects that a request selects, for an entity whose record type is known only at run time.
    func fetchObjects(_ request: StoreRequest) throws -> [ManagedObject] {
        func fetch<Entity: AnyRecordEntity>(_ entity: Entity) throws -> [ManagedObject] {
            try self.fetch(request, of: entity.typed)
        }
        return try fetch(try registry.recordEntity(of: request.entity))
    }

    /// Returns the number of objects that a request selects, for an entity whose record type is known only at run time.
    func countObjects(_ request: StoreRequest) throws -> Int {
        func count<Entity: AnyRecordEntity>(_ entity: Entity) throws -> Int {
            try self.count(request, of: entity.typed)
        }
        return try count(try registry.recordEntity(of: request.entity))
    }

    /// Returns the rows with given identifiers, as they are now in the parent context or the store.
    func parentRows(of entity: String, _ ids: [Int64]) throws -> [StoredRow] {
        let request = StoreRequest(entity, where: .isIn(.property("id"), ids.sorted().map(StoredValue.integer)))
        if let parent {
            return try parent.fetchObjects(request).map(\.asRow)
        }
        let description = try model.entity(named: entity)
        var rows: [StoredRow] = []
        try source.fetch(request) { row in
            rows.append(try row.stored(description))
            return .next
        }
        return rows
    }

    /// The maximum number of values in one condition, because a request limits the length of a list of texts.
    private static let maximumValues = 500

    /// Returns the rows of the parent context or the store that have one of the given values in a column.
    func parentRows(
        of entity: EntityDescription, where column: Int, _ values: [StoredValue]
    ) throws -> [StoredRow] {
        var rows: [StoredRow] = []
        var values = Set(values).sorted()[...]
        while !values.isEmpty {
            let condition = FetchCondition.isIn(
                .property(entity.columns[column].name), Array(values.prefix(Self.maximumValues)))
            values = values.dropFirst(Self.maximumValues)
            try appendParentRows(of: entity, where: condition, to: &rows)
        }
        return rows
    }

    /// The maximum number of values of a multicolumn key in one condition.
    ///
    /// Each value is a part of the condition, so the depth of the condition grows with their number.
    private static let maximumKeys = 100

    /// Returns the rows of the parent context or the store that have one of the given values of a unique key.
    func parentRows(
        of entity: EntityDescription, where key: UniqueKey, _ values: [UniqueValue]
    ) throws -> [StoredRow] {
        if key.columns.count == 1 { return try parentRows(of: entity, where: key.columns[0], values.flatMap(\.parts)) }
        var rows: [StoredRow] = []
        var values = Array(Set(values))[...]
        while !values.isEmpty {
            let conditions = values.prefix(Self.maximumKeys).map { value in
                FetchCondition.all(
                    zip(key.columns, value.parts).map {
                        .compare(.property(entity.columns[$0].name), .equal, .constant($1))
                    })
            }
            values = values.dropFirst(Self.maximumKeys)
            try appendParentRows(of: entity, where: .any(conditions), to: &rows)
        }
        return rows
    }

    private func appendParentRows(
        of entity: EntityDescription, where condition: FetchCondition, to rows: inout [StoredRow]
    ) throws {
        let request = StoreRequest(entity.name, where: condition)
        if let parent {
            rows += try parent.fetchObjects(request).map(\.asRow)
            return
        }
        var found: [StoredRow] = []
        try source.fetch(request) { row in
            found.append(try row.stored(entity))
            return .next
        }
        rows += found
    }

    // MARK: Which changes matter

    /// Returns a Boolean value that indicates whether unsaved changes of this context can affect a request's result.
    func isTouchedByChanges(_ request: StoreRequest) throws -> Bool {
        guard hasPendingObjects || !pending.joins.isEmpty else { return false }
        if registry[request.entity]?.hasPending == true { return true }
        return try traversesChanges(request)
    }

    private var hasPendingObjects: Bool { registry.all.contains(where: \.hasPending) }

    /// Returns a Boolean value that indicates whether a request depends on unsaved changes of objects of other
    /// entities.
    private func traversesChanges(_ request: StoreRequest) throws -> Bool {
        guard request.condition?.traversesRelationships == true || request.sortsByPath else { return false }
        let entity = try model.entity(named: request.entity)
        return try request.traversed(in: entity).relationships(of: entity, in: model).contains { traversed in
            let owner = try model.entity(named: traversed.entity)
            let (_, destination, place) = try model.relationship(traversed.name, of: owner)
            let hasPending = [owner, destination].contains { registry[$0.name]?.hasPending == true }
            if case .join(let join, _) = place, pending.hasChanges(of: join) { return true }
            return hasPending
        }
    }

    /// Returns the objects that a request selects if its condition depends on unsaved changes of related objects.
    ///
    /// The parent context or the store evaluates the parts of the condition that do not depend on them. This context
    /// evaluates the other parts.
    private func candidatesAcrossRelationships<Record: ManagedRecord>(
        _ request: StoreRequest, _ identityMap: IdentityMap, of entity: RecordEntity<Record>,
        _ report: UnreadableRowReport?
    ) throws -> [Managed<Record>] {
        let conjuncts = request.condition?.conjuncts ?? []
        let (traversing, plain) = (
            conjuncts.filter(\.traversesRelationships), conjuncts.filter { !$0.traversesRelationships }
        )
        var narrowed = StoreRequest(request.entity, where: plain.isEmpty ? nil : .all(plain))
        narrowed = narrowed.excluding(identityMap.storedPendingIDs)
        let resolver = ConditionResolver(entity: identityMap.entity, model: model)
        let evaluator = try ConditionEvaluator(try resolver.resolve(.all(traversing)), relatives: self)
        let stored = try readObjects(narrowed, identityMap, of: entity, report)
        return try stored.filter { object in
            guard object.state != .inserted, object.state != .deleted else { return false }
            return try evaluator.matches(id: object.rawID, values: object.typed.currentRow().values)
        }
    }

    // MARK: Merging

    /// Returns the unsaved new and changed objects that a request's condition selects.
    private func pendingObjects(_ request: StoreRequest, _ identityMap: IdentityMap) throws -> [ManagedObject] {
        let evaluator = try request.condition.map {
            let resolver = ConditionResolver(entity: identityMap.entity, model: model)
            return try ConditionEvaluator(try resolver.resolve($0), relatives: self)
        }
        return try identityMap.current.filter { object in
            try evaluator?.matches(id: object.rawID, values: object.typed.currentRow().values) ?? true
        }
    }

    private func sorted<Record: ManagedRecord>(
        _ objects: [Managed<Record>], by sort: [ResolvedRequest.Sort], in identityMap: IdentityMap
    ) throws -> [Managed<Record>] {
        if sort.isEmpty { return objects.sorted { $0.rawID < $1.rawID } }
        let order = try RowOrder(sort, of: identityMap.entity, relatives: self)
        return try order.sorted(objects) { ($0.rawID, $0.typed.currentRow().values) }
    }
}

extension StoreRequest {
    func excluding(_ ids: Set<Int64>) -> StoreRequest {
        guard !ids.isEmpty else { return self }
        var request = self
        let excluded = FetchCondition.not(.isIn(.property("id"), ids.map(StoredValue.integer).sorted()))
        request.condition = condition.map { $0 && excluded } ?? excluded
        return request
    }

    /// Returns the request for all stored rows that can be inside the limit and offset after other rows are merged in.
    func beforeMerging(excluding ids: Set<Int64>) -> StoreRequest {
        var request = excluding(ids)
        request.offset = 0
        request.limit = limit.map { $0.addingReportingOverflow(offset) }.map { $0.overflow ? Int.max : $0.partialValue }
        return request
    }
}

extension ManagedObject {
    /// The object's current values as a row, which a child context reads.
    var asRow: StoredRow { StoredRow(id: rawID, version: version, values: typed.currentRow().values) }
}
