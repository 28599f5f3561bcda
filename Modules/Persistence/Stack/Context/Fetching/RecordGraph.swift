import StrataCore

/// The records that a fetch selects, with the records of the relationships that its request prefetches.
///
/// ```swift
/// let request = FetchRequest<Album>(
///     prefetching: [.toOne(\.artist, to: Artist.self, [.toOne(\.country)]), .toMany(\.genres)])
/// let graph = try await records.fetchGraph(request)
/// for album in graph.records {
///     let artist = try graph.related(\.artist, of: album)
///     let country = try artist.flatMap { try graph.related(\.country, of: $0) }
///     let genres = try graph.related(\.genres, of: album)
///     print(album.title, artist?.name ?? "", country?.name ?? "", genres.map(\.name))
/// }
/// ```
///
/// The graph is a value, so its methods read nothing from the store. Each relationship is read by a separate statement.
/// If a unit of work that fetches a graph also writes, a record of the graph that another process changed meanwhile is
/// a conflict.
public struct RecordGraph<Record: ManagedRecord>: Sendable {
    /// The records that the request selects, in the order of the request.
    public let records: [Record]
    private let content: RecordGraphContent

    init(records: [Record], _ content: RecordGraphContent) { (self.records, self.content) = (records, content) }

    /// Returns the related record of an optional reference, or `nil` if the reference is null.
    ///
    /// - Parameters:
    ///   - path: A reference that the request prefetches.
    ///   - record: A record of the graph.
    /// - Returns: The related record.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the request does not
    ///   prefetch the relationship.
    public func related<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: any KeyPath<Source, RecordID<Destination>?> & Sendable, of record: Source
    ) throws -> Destination? {
        try referred(path, to: Destination.self, of: record).first
    }

    /// Returns the related record of a mandatory reference.
    ///
    /// - Throws: The errors of the method for an optional reference.
    public func related<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: any KeyPath<Source, RecordID<Destination>> & Sendable, of record: Source
    ) throws -> Destination? {
        try referred(path, to: Destination.self, of: record).first
    }

    /// Returns the related record of a reference whose identifier has a custom type, or `nil` if the reference is null.
    ///
    /// - Throws: The errors of the method for an optional reference.
    public func related<Source: ManagedRecord, Destination: PersistentRecord>(
        _ path: any PartialKeyPath<Source> & Sendable, as type: Destination.Type, of record: Source
    ) throws -> Destination? {
        try referred(path, to: Destination.self, of: record).first
    }

    /// Returns the related records of a to-many relationship, in the order of the relationship.
    ///
    /// - Throws: The errors of the method for an optional reference.
    public func related<Source: PersistentRecord, Destination: PersistentRecord>(
        _ path: KeyPath<Source.Type, ToMany<Source, Destination>>, of record: Source
    ) throws -> [Destination] {
        try content.related(Source.self[keyPath: path].name, of: record)
    }

    /// Returns the related record of a one-to-one relationship whose column is in the related row, or `nil` if there is
    /// none.
    ///
    /// - Throws: The errors of the method for an optional reference.
    public func related<Source: PersistentRecord, Destination: PersistentRecord>(
        _ path: KeyPath<Source.Type, ToOne<Source, Destination>>, of record: Source
    ) throws -> Destination? {
        let found: [Destination] = try content.related(Source.self[keyPath: path].name, of: record)
        return found.first
    }

    /// Returns the related records of a relationship of any kind, by the relationship's name.
    ///
    /// - Throws: The errors of the method for an optional reference.
    public func related(_ name: String, of record: DynamicRecord) throws -> [DynamicRecord] {
        try content.related(name, of: record)
    }

    private func referred<Source: ManagedRecord, Destination: ManagedRecord>(
        _ path: any PartialKeyPath<Source> & Sendable, to type: Destination.Type, of record: Source
    ) throws -> [Destination] {
        let entity = record.recordEntity
        guard let name = entity.column(at: path) else {
            throw PersistenceError(
                .invalidRequest, "\((path as AnyKeyPath).text) is not a property of the entity", entity: entity.name)
        }
        return try content.related(name, of: record)
    }
}

/// The related records of a graph, by relationship.
struct RecordGraphContent: Sendable {
    private struct Key: Hashable {
        let entity: String
        let relationship: String
    }

    private struct Ends {
        let entity: String
        /// The identifiers of the related records, by the identifier of their owner.
        var ids: [Int64: [Int64]] = [:]
    }

    private var ends: [Key: Ends] = [:]
    private var records: [String: [Int64: any ManagedRecord]] = [:]

    /// Adds the related objects of several owners in a relationship.
    mutating func add(
        _ related: [Int64: [ManagedObject]], of owners: [ManagedObject], _ relationship: RelationshipDescription,
        of entity: String
    ) throws {
        let key = Key(entity: entity, relationship: relationship.name)
        var found = ends[key] ?? Ends(entity: relationship.destination)
        var known = records.removeValue(forKey: relationship.destination) ?? [:]
        for owner in owners.map(\.rawID) {
            let objects = related[owner] ?? []
            found.ids[owner] = objects.map(\.rawID)
            for object in objects where known[object.rawID] == nil {
                var taking = RecordTaking()
                try object.typed.accept(&taking)
                known[object.rawID] = taking.record
            }
        }
        records[relationship.destination] = known
        ends[key] = found
    }

    func related<Source: ManagedRecord, Destination: ManagedRecord>(
        _ name: String, of record: Source
    ) throws -> [Destination] {
        let entity = record.recordEntity.name
        guard let ends = ends[Key(entity: entity, relationship: name)] else {
            throw PersistenceError(
                .invalidRequest, "the request does not name the relationship; add it to prefetching", entity: entity,
                attribute: name)
        }
        guard let ids = ends.ids[record.id.rawValue] else {
            var error = PersistenceError(
                .invalidRequest, "the request does not read the relationship of object \(record.id.rawValue)",
                entity: entity, attribute: name)
            error.id = record.id.rawValue
            throw error
        }
        let known = records[ends.entity] ?? [:]
        return try ids.map { id in
            guard let record = known[id] as? Destination else {
                throw PersistenceError(
                    .invalidRequest,
                    "the relationship refers to records of \(ends.entity), not of \(Destination.self)",
                    entity: entity, attribute: name)
            }
            return record
        }
    }
}

/// A visitor that returns the record of an object whose record type the caller does not know.
private struct RecordTaking: ObjectVisitor {
    var record: (any ManagedRecord)?

    mutating func visit<Record: ManagedRecord>(_ object: Managed<Record>) { record = object.record }
}
