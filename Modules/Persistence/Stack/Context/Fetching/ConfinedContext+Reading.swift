import StrataCore
import StrataStoreKit

/// The creation of objects from rows, at most one object for each identifier.
extension ConfinedContext {
    /// Reads the rows that a request selects from the parent context or the store, without the changes of this context.
    func readObjects<Record: ManagedRecord>(
        _ request: StoreRequest, _ identityMap: IdentityMap, of entity: RecordEntity<Record>,
        _ report: UnreadableRowReport? = nil
    ) throws -> [Managed<Record>] {
        if let parent = parent.context {
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
        try coordinator.fetch(request) { row in
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
            try coordinator.fetch(request) { row in
                try reading.next()
                try readingRow(report) { try collect(row, identityMap, &objects) }
                return .next
            }
            return objects
        }
        let (make, ownership) = (collector.make, identityMap.ownership)
        var (areAscending, last) = (true, Int64.min)
        try coordinator.fetch(request) { row in
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
        guard parent.context == nil, let find = identityMap.find else {
            let condition = FetchCondition.compare(.property("id"), .equal, .constant(.integer(id)))
            let request = StoreRequest(identityMap.entity.name, where: condition)
            return try readKeeping(request, identityMap, of: entity).first
        }
        let cache = coordinator.rowCache
        let mark = cache.isOff ? nil : cache.mark
        guard let object = try readObject(id, identityMap, find) as? Managed<Record> else { return nil }
        if let mark, object.state == .unchanged {
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
        try coordinator.fetchRow(id, of: identityMap.entity) { row in object = try find(row, identityMap) }
        return object
    }

    /// Returns the object of a row in the row cache, without reading the store.
    func cachedObject<Record: ManagedRecord>(
        _ id: Int64, _ identityMap: IdentityMap, of entity: RecordEntity<Record>
    ) throws -> Managed<Record>? {
        guard parent.context == nil, let (record, version) = coordinator.rowCache.record(id, of: entity) else {
            return nil
        }
        return try adopt(id, version: version, in: identityMap) { record }
    }

    /// Reads the rows that a request selects and adds them to the row cache.
    func readKeeping<Record: ManagedRecord>(
        _ request: StoreRequest, _ identityMap: IdentityMap, of entity: RecordEntity<Record>
    ) throws -> [Managed<Record>] {
        let cache = coordinator.rowCache
        // The values that a hook sets belong to this context: the hook in the next context needs the row itself.
        guard parent.context == nil, !cache.isOff, !identityMap.traits.hasHooks else {
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
                if identityMap.traits.hasHooks { try awaken(known) }
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
            try awaken(object)
        } catch {
            identityMap.forget(object)
            throw error
        }
    }
}
