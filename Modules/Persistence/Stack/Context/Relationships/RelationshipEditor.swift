import StrataCore

/// The reads and changes of the relationships of a context's objects.
///
/// Changes of columns are writes to the objects; changes of join rows are added to the pending changes. The editor has
/// no state of its own. It is confined to the context's queue.
struct RelationshipEditor {
    let propagator: ChangePropagator

    init(_ propagator: ChangePropagator) {
        self.propagator = propagator
    }

    var reader: ObjectReader { propagator.reader }
    var registry: ObjectRegistry { propagator.registry }
    var readAhead: ReadAheadData { reader.readAhead }
    private var fetcher: Fetcher { Fetcher(propagator) }

    /// Throws an error if an object is deleted or detached, since such an object cannot be related to another.
    func requirePresent(_ objects: [ManagedObject]) throws {
        guard let unusable = objects.first(where: \.isDeletedOrDetached) else { return }
        throw PersistenceError(
            .detachedObject, "object \(unusable.rawID) was deleted or is detached", entity: unusable.entityName)
    }

    // MARK: To-one relationships

    /// Returns the related object of an optional reference, or `nil` if the reference is null.
    func object<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: KeyPath<Source, Destination.ID?>, of owner: Managed<Source>, as type: Destination.Type
    ) throws -> Managed<Destination>? {
        registry.require(owner)
        try propagator.prepareToRead()
        return try owner.record[keyPath: path].map { try fetcher.existingObject(with: $0, in: Destination.entity) }
    }

    /// Returns the related object of a mandatory reference.
    func object<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: KeyPath<Source, Destination.ID>, of owner: Managed<Source>, as type: Destination.Type
    ) throws -> Managed<Destination> {
        registry.require(owner)
        return try fetcher.existingObject(with: owner.record[keyPath: path], in: Destination.entity)
    }

    /// Returns the related object of a one-to-one relationship that a ``ToOne`` value describes, or `nil` if there is
    /// none.
    func object<Source: ManagedRecord, Destination: ManagedRecord>(
        of owner: Managed<Source>, through relationship: ToOne<Source, Destination>
    ) throws -> Managed<Destination>? {
        registry.require(owner)
        try propagator.prepareToRead()
        if let known = readAhead.objects(relationship.name, of: owner) { return known.first as? Managed<Destination> }
        let (description, _, place) = try reader.relationship(relationship.description, of: owner)
        let found = try reader.relatedObjects(of: [owner], description, place)[owner.rawID] ?? []
        guard found.count > 1, case .inverseColumn(let column) = place else {
            return found.first as? Managed<Destination>
        }
        // Another save assigned a counterpart to the owner meanwhile. Until this save applies the merge policy, the
        // change here has priority.
        return (found.first { $0.tookCounterpart(at: column) } ?? found.first) as? Managed<Destination>
    }

    /// Sets the related object of a one-to-one relationship that a ``ToOne`` value describes.
    func set<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>?, of owner: Managed<Source>, through relationship: ToOne<Source, Destination>
    ) throws {
        registry.require(owner)
        if let object {
            registry.require(object)
            try requirePresent([object, owner])
        }
        let old = try self.object(of: owner, through: relationship)
        if old === object { return }
        let (description, _, place) = try reader.relationship(relationship.description, of: owner)
        if let object { try reader.require(object, endOf: description, of: owner) }
        guard case .inverseColumn(let column) = place else { return }
        try old?.typed.write(.null, column: column)
        try object?.typed.write(.integer(owner.rawID), column: column)
    }

    // MARK: To-many relationships

    /// Returns the related objects of a to-many relationship, in the relationship's order or, if it is unordered, by
    /// identifier.
    func objects<Source: ManagedRecord, Destination: ManagedRecord>(
        of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws -> [Managed<Destination>] {
        registry.require(owner)
        try propagator.prepareToRead()
        if let known = readAhead.objects(relationship.name, of: owner) {
            return known.compactMap { $0 as? Managed<Destination> }
        }
        let (description, _, place) = try reader.relationship(relationship.description, of: owner)
        let objects = try reader.relatedObjects(of: [owner], description, place)[owner.rawID] ?? []
        return objects.compactMap { $0 as? Managed<Destination> }
    }

    /// Returns the number of related objects of a to-many relationship, including unsaved changes.
    func count<Source: ManagedRecord, Destination: ManagedRecord>(
        of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws -> Int {
        registry.require(owner)
        try propagator.prepareToRead()
        if let known = readAhead.objects(relationship.name, of: owner) { return known.count }
        let (_, destination, place) = try reader.relationship(relationship.description, of: owner)
        switch place {
        case .ownColumn: return 0
        case .inverseColumn(let column):
            let isOwner = FetchCondition.compare(
                .property(destination.columns[column].name), .equal, .constant(.integer(owner.rawID)))
            return try reader.countObjects(StoreRequest(destination.name, where: isOwner))
        case .join(let join, let isSource):
            return try reader.pairs(of: join, ownerIsSource: isSource, [owner.rawID]).count
        }
    }

    /// Adds an object to a to-many relationship; in an ordered relationship, the object is last.
    func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        try insert(
            object, at: nil, in: try reader.relationship(relationship.description, of: owner).relationship.name,
            of: owner
        )
    }

    /// Adds several objects to a to-many relationship; in an ordered relationship, they are last, in the order of the
    /// array.
    func add<Source: ManagedRecord, Destination: ManagedRecord>(
        _ objects: [Managed<Destination>], of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        registry.require(owner)
        for object in objects { registry.require(object) }
        try requirePresent(objects + [owner])
        let (description, _, place) = try reader.relationship(relationship.description, of: owner)
        for object in objects { try reader.require(object, endOf: description, of: owner) }
        try propagator.prepareToRead()
        if description.isOrdered, try setAll(objects, relationship: description, place: place, of: owner) { return }
        for object in objects { try insert(object, at: nil, in: description.name, of: owner) }
    }

    /// Inserts an object into an ordered to-many relationship at an index.
    func insert<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, at index: Int,
        of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        let (name, description) = (relationship.name, relationship.description)
        guard try reader.relationship(description, of: owner).relationship.isOrdered, index >= 0 else {
            throw PersistenceError(
                .invalidRequest,
                index < 0
                    ? "the position is \(index), but must be at least 0"
                    : "the relationship is not ordered and has no positions",
                entity: owner.entityName, attribute: name)
        }
        try insert(object, at: index, in: name, of: owner)
    }

    /// Moves an object of an ordered to-many relationship to another index.
    func move<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, to index: Int,
        of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        guard try objects(of: owner, through: relationship).contains(where: { $0 === object }) else {
            throw PersistenceError(
                .objectNotFound, "the relationship of \(owner.rawID) does not contain \(object.rawID)",
                entity: owner.entityName, attribute: relationship.name)
        }
        try insert(object, at: index, of: owner, through: relationship)
    }

    /// Removes an object from a to-many relationship; if the relationship does not contain the object, nothing is
    /// changed.
    func remove<Source: ManagedRecord, Destination: ManagedRecord>(
        _ object: Managed<Destination>, of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        registry.require(owner)
        registry.require(object)
        // A deleted object is in no relationship any more.
        if object.isDeletedOrDetached || owner.isDeletedOrDetached { return }
        let (description, _, place) = try reader.relationship(relationship.description, of: owner)
        try reader.require(object, endOf: description, of: owner)
        switch place {
        case .ownColumn: return
        case .inverseColumn(let column):
            guard object.typed.currentRow().values[column] == .integer(owner.rawID) else { return }
            try object.typed.write(.null, column: column)
        case .join(let join, let isSource):
            removePair(JoinPair(owner.rawID, object.rawID, ownerIsSource: isSource), from: join)
        }
    }

    /// Replaces the related objects of a to-many relationship; in an ordered relationship, they have the order of the
    /// array.
    func set<Source: ManagedRecord, Destination: ManagedRecord>(
        _ objects: [Managed<Destination>], of owner: Managed<Source>, through relationship: ToMany<Source, Destination>
    ) throws {
        for object in objects { registry.require(object) }
        try requirePresent([owner] + objects)
        let before = try self.objects(of: owner, through: relationship)
        let wanted = Set(objects.map(ObjectIdentifier.init))
        for object in before where !wanted.contains(ObjectIdentifier(object)) {
            try remove(object, of: owner, through: relationship)
        }
        let (description, _, place) = try reader.relationship(relationship.description, of: owner)
        for object in objects { try reader.require(object, endOf: description, of: owner) }
        let isOrdered = description.isOrdered
        let known = Set(before.map(ObjectIdentifier.init))
        if isOrdered, before.map(ObjectIdentifier.init) == objects.map(ObjectIdentifier.init) { return }
        if isOrdered, try setAll(objects, relationship: description, place: place, of: owner) { return }
        for object in objects where isOrdered || !known.contains(ObjectIdentifier(object)) {
            try add(object, of: owner, through: relationship)
        }
    }

    // MARK: Join rows

    /// Adds a join row.
    func addPair(_ row: JoinRow, to join: JoinDescription) {
        propagator.pending.add(row, to: join)
        readAhead.forgetLists(of: join)
    }

    /// Removes a join row.
    func removePair(_ pair: JoinPair, from join: JoinDescription) {
        propagator.pending.remove(pair, from: join)
        readAhead.forgetLists(of: join)
    }
}

extension JoinPair {
    /// Creates a join pair from an owner and a related object, where the owner is the source or the destination of the
    /// join table.
    init(_ owner: Int64, _ other: Int64, ownerIsSource: Bool) {
        self = ownerIsSource ? JoinPair(source: owner, target: other) : JoinPair(source: other, target: owner)
    }
}
