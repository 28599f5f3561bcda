import StrataCore
import StrataStoreKit

/// The lookup of objects by identifier, and the creation of objects from rows, at most one for each identifier.
extension ObjectReader {
    /// Returns the object with an identifier, or `nil` if no such object exists or this context deleted it.
    func findObject<Record: ManagedRecord>(
        with id: Record.ID, of entity: RecordEntity<Record>
    ) throws -> Managed<Record>? {
        let identityMap = try registry.identityMap(of: entity)
        if let object = identityMap.object(id.rawValue) as? Managed<Record> {
            return object.state == .deleted || object.state == .detached ? nil : object
        }
        // A new object with the same identifier may have replaced it in the table, and may have been deleted too.
        if identityMap.deleted[id.rawValue] != nil { return nil }
        // This check comes first, so that generic code of the record type runs only if the cache is on.
        if source.cache != nil, let cached = try cachedObject(id.rawValue, identityMap, of: entity) {
            return cached
        }
        return try readObject(id.rawValue, identityMap, of: entity)
    }

    /// Returns the objects with given identifiers, in the order of the identifiers.
    ///
    /// Objects that do not exist or that this context deleted are omitted. The method executes one statement, or none
    /// if the context has all objects. If `fromStore` is `true`, objects that the context does not have, or has without
    /// unsaved changes, are read from the store, as in a fetch.
    func objects<Record: ManagedRecord>(
        withRawIDs ids: [Int64], of entity: RecordEntity<Record>, fromStore: Bool = false,
        _ report: UnreadableRowReport? = nil
    ) throws -> [Managed<Record>] {
        let identityMap = try registry.identityMap(of: entity)
        var found: [Int64: Managed<Record>] = [:]
        var missing: [Int64] = []
        for id in ids {
            let object = identityMap.object(id) as? Managed<Record>
            if let object, !object.isDeletedOrDetached, !fromStore || object.state != .unchanged {
                found[id] = object
            } else if identityMap.deleted[id] != nil {
                continue
            } else if !fromStore, let object = try cachedObject(id, identityMap, of: entity) {
                found[id] = object
            } else {
                missing.append(id)
            }
        }
        if !missing.isEmpty {
            let condition = FetchCondition.isIn(.property("id"), missing.sorted().map(StoredValue.integer))
            let request = StoreRequest(identityMap.entity.name, where: condition)
            let read =
                try fromStore
                ? readObjects(request, identityMap, of: entity, report) : readKeeping(request, identityMap, of: entity)
            for object in read { found[object.rawID] = object }
        }
        return ids.compactMap { found[$0] }
    }

    /// Returns the objects with given identifiers, for an entity whose record type is known only at run time.
    func objects(withRawIDs ids: [Int64], of entity: String) throws -> [ManagedObject] {
        func objects<Entity: AnyRecordEntity>(_ entity: Entity) throws -> [ManagedObject] {
            try self.objects(withRawIDs: ids, of: entity.typed)
        }
        return try objects(try registry.recordEntity(of: entity))
    }

    // MARK: Rows

    /// Reads the rows that a request selects from the parent context or the store, without the changes of this context.
    func readObjects<Record: ManagedRecord>(
        _ request: StoreRequest, _ identityMap: IdentityMap, of entity: RecordEntity<Record>,
        _ report: UnreadableRowReport? = nil
    ) throws -> [Managed<Record>] {
        if let parent {
            return try parent.fetch(request, of: entity, report).map { theirs in
                try adopt(theirs.rawID, version: theirs.version, in: identityMap, isAlwaysNewer: true) { theirs.record }
            }
        }
        identityMap.sweepIfFull()
        if !identityMap.traits.hasHooks, let collector = entity.objectCollector {
            return try collectObjects(request, identityMap, collector, report)
        }
        var objects: [Managed<Record>] = []
        var reading = CancellableReading()
        try source.fetch(request) { row in
            try reading.next()
            try readingRow(report) {
                objects.append(try adopt(row.rawID, version: row.version, in: identityMap) { try entity.read(row) })
            }
            return .next
        }
        return objects
    }

    /// Reads the rows that a request selects, with code that is inlined into the module of the record type.
    ///
    /// If the context has no objects of the entity, it looks up no object and registers all new objects at once. The
    /// lookups took a third of the time to create an object.
    private func collectObjects<Record: ManagedRecord>(
        _ request: StoreRequest, _ identityMap: IdentityMap, _ collector: ObjectCollector<Record>,
        _ report: UnreadableRowReport?
    ) throws -> [Managed<Record>] {
        var objects: [Managed<Record>] = []
        var reading = CancellableReading()
        guard let mark = identityMap.emptyMark else {
            let collect = collector.collect
            try source.fetch(request) { row in
                try reading.next()
                try readingRow(report) { try collect(row, identityMap, &objects) }
                return .next
            }
            return objects
        }
        let (make, ownership) = (collector.make, identityMap.ownership)
        var (areAscending, last) = (true, Int64.min)
        try source.fetch(request) { row in
            try reading.next()
            let id = row.rawID
            if id <= last { areAscending = false }
            last = id
            try readingRow(report) { try make(row, ownership, &objects) }
            return .next
        }
        if identityMap.registerAll(objects, areAscending: areAscending, since: mark) { return objects }
        // A record's initializer read in this context too, or the store returned a row twice.
        return try objects.map { object in
            try adopt(object.rawID, version: object.version, in: identityMap) { object.record }
        }
    }

    /// Reads the row with an identifier for which the context has no object, and adds the row to the row cache.
    func readObject<Record: ManagedRecord>(
        _ id: Int64, _ identityMap: IdentityMap, of entity: RecordEntity<Record>
    ) throws -> Managed<Record>? {
        guard parent == nil, let find = identityMap.find else {
            let condition = FetchCondition.compare(.property("id"), .equal, .constant(.integer(id)))
            let request = StoreRequest(identityMap.entity.name, where: condition)
            return try readKeeping(request, identityMap, of: entity).first
        }
        let cache = source.cache
        let mark = cache?.mark
        guard let object = try readObject(id, identityMap, find) as? Managed<Record> else { return nil }
        if let cache, let mark, object.state == .unchanged {
            cache.keep(object.record, version: object.version, readAfter: mark)
        }
        return object
    }

    /// Reads a row without generic code for its record type.
    ///
    /// Generic code takes time to look up, or is useful only for many rows.
    private func readObject(
        _ id: Int64, _ identityMap: IdentityMap, _ find: (RowReader, IdentityMap) throws -> ManagedObject
    ) throws -> ManagedObject? {
        identityMap.sweepIfFull()
        var object: ManagedObject?
        try source.fetchRow(id, of: identityMap.entity) { row in object = try find(row, identityMap) }
        return object
    }

    /// Returns the object of a row in the row cache, without reading the store.
    func cachedObject<Record: ManagedRecord>(
        _ id: Int64, _ identityMap: IdentityMap, of entity: RecordEntity<Record>
    ) throws -> Managed<Record>? {
        guard parent == nil, let (record, version) = source.cache?.record(id, of: entity) else { return nil }
        return try adopt(id, version: version, in: identityMap) { record }
    }

    /// Reads the rows that a request selects and adds them to the row cache.
    func readKeeping<Record: ManagedRecord>(
        _ request: StoreRequest, _ identityMap: IdentityMap, of entity: RecordEntity<Record>
    ) throws -> [Managed<Record>] {
        // The values that a hook sets belong to this context: the hook in the next context needs the row itself.
        guard parent == nil, let cache = source.cache, !identityMap.traits.hasHooks else {
            return try readObjects(request, identityMap, of: entity)
        }
        let mark = cache.mark
        let objects = try readObjects(request, identityMap, of: entity)
        for object in objects where object.state == .unchanged {
            cache.keep(object.record, version: object.version, readAfter: mark)
        }
        return objects
    }

    /// Returns the object of a row: a new object, or the existing one, which receives the row's values unless it has
    /// changes.
    ///
    /// If `isAlwaysNewer` is `true`, an existing object receives the values even if its version is equal. The reason is
    /// that unsaved changes of a parent context have no version.
    private func adopt<Record: ManagedRecord>(
        _ id: Int64, version: Int64, in identityMap: IdentityMap, isAlwaysNewer: Bool = false,
        _ read: () throws -> Record
    ) throws -> Managed<Record> {
        if let known = identityMap.object(id) as? Managed<Record>, known.state != .detached {
            if known.state == .unchanged, isAlwaysNewer || known.version != version {
                if known.version != version { identityMap.sawNewerRow() }
                known.refresh(try read(), version: version)
                if identityMap.traits.hasHooks { try hooks.awaken(known) }
            }
            return known
        }
        let object = try Managed(version: version, ownership: identityMap.ownership, read: read)
        identityMap.register(object)
        if identityMap.traits.hasHooks { try awakenOrForget(object, identityMap) }
        return object
    }

    private func awakenOrForget(_ object: ManagedObject, _ identityMap: IdentityMap) throws {
        do {
            try hooks.awaken(object)
        } catch {
            identityMap.forget(object)
            throw error
        }
    }

    // MARK: Rereading

    /// Makes a row the stored state of an object, and runs the hook ``LifecycleHooks/awakeFromFetch(_:in:)``.
    ///
    /// The hook must run because the record is created again, without values that the hook had set.
    func rebase(_ object: ManagedObject, onto row: StoredRow, _ merging: RowMerging) throws {
        try object.typed.rebase(onto: row, merging)
        if object.ownership.identityMap?.traits.hasHooks == true { try hooks.awaken(object) }
    }

    /// Discards cached and prefetched data of rows that are about to be read again.
    func forgetRead(_ entity: String, _ ids: [Int64]) {
        coordinator.rowCache.forget(entity, ids)
        readAhead.sawNewerRows(of: entity)
    }
}
