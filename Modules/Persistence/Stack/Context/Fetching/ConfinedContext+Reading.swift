import StrataCore

/// Rows made objects: one for each identifier.
extension ConfinedContext {
    /// Reads a request's rows from the parent, without this context's changes.
    func readObjects<Record: PersistentRecord>(
        _ request: StoreRequest, _ identityMap: IdentityMap, _ report: UnreadableRowReport? = nil
    ) throws -> [Managed<Record>] {
        if let parent = parent.context {
            return try parent.fetch(request, as: Record.self, report).map { theirs in
                try adopt(theirs.rawID, version: theirs.version, in: identityMap, isAlwaysNewer: true) { theirs.record }
            }
        }
        identityMap.sweepIfFull()
        var objects: [Managed<Record>] = []
        var reading = CancellableReading()
        if !identityMap.traits.hasHooks, let collect = Record.entity.collect {
            try coordinator.fetch(request) { row in
                try reading.next()
                try readingRow(report) { try collect(row, identityMap, &objects) }
                return .next
            }
            return objects
        }
        let entity = Record.entity
        try coordinator.fetch(request) { row in
            try reading.next()
            try readingRow(report) {
                objects.append(try adopt(row.rawID, version: row.version, in: identityMap) { try entity.read(row) })
            }
            return .next
        }
        return objects
    }

    /// The object of a row that was read lately, made without asking the store.
    func cachedObject<Record: PersistentRecord>(
        _ id: Int64, _ identityMap: IdentityMap, of type: Record.Type
    ) throws -> Managed<Record>? {
        guard parent.context == nil, let (record, version) = coordinator.rowCache.record(id, of: type) else {
            return nil
        }
        return try adopt(id, version: version, in: identityMap) { record }
    }

    /// Reads a request's rows and lets the cache keep them.
    func readKeeping<Record: PersistentRecord>(
        _ request: StoreRequest, _ identityMap: IdentityMap
    ) throws -> [Managed<Record>] {
        let cache = coordinator.rowCache
        // What a hook made of a row is this context's: the next context's hook wants the row.
        guard parent.context == nil, !cache.isOff, !identityMap.traits.hasHooks else {
            return try readObjects(request, identityMap)
        }
        let mark = cache.mark
        let objects: [Managed<Record>] = try readObjects(request, identityMap)
        for object in objects where object.state == .unchanged {
            cache.keep(object.record, version: object.version, readAfter: mark)
        }
        return objects
    }

    /// The object of a row: the one the context has, refreshed unless it has changes of its own, or a new one.
    ///
    /// A parent's object may differ without another version, since the parent's own changes have none.
    private func adopt<Record: PersistentRecord>(
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
        let object = Managed(reading: try read(), version: version, ownership: identityMap.ownership)
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
