import StrataCore

/// A relationship whose objects a fetch reads along with its own.
///
/// ```swift
/// let prefetching = FetchRequest<Employee>(prefetching: [.toOne(\.boss)])
/// ```
public struct Prefetch<Record: ManagedRecord>: Sendable {
    /// Returns the relationship and those of the objects to which it leads; throws if the entity has no such one.
    private let resolve: @Sendable (RecordEntity<Record>) throws -> PrefetchedRelationship

    private init(_ resolve: @escaping @Sendable (RecordEntity<Record>) throws -> PrefetchedRelationship) {
        self.resolve = resolve
    }

    /// The object to which a reference of the record leads.
    public static func toOne(_ path: any PartialKeyPath<Record> & Sendable) -> Prefetch {
        Prefetch { PrefetchedRelationship(try $0.reference(at: path)) }
    }

    /// The object to which a reference of the record leads, and what relationships of that object lead to.
    ///
    /// ```swift
    /// let request = FetchRequest<Album>(
    ///     prefetching: [.toOne(\.artist, to: Artist.self, [.toOne(\.country)]), .toMany(\.genres)])
    /// ```
    ///
    /// - Parameters:
    ///   - path: The reference.
    ///   - destination: The record type to which it leads.
    ///   - nested: Relationships of the destination.
    /// - Returns: What a request takes.
    public static func toOne<Destination: PersistentRecord>(
        _ path: any PartialKeyPath<Record> & Sendable, to destination: Destination.Type,
        _ nested: [Prefetch<Destination>]
    ) -> Prefetch {
        Prefetch { entity in
            PrefetchedRelationship(
                try entity.reference(at: path), try nested.map { try $0.resolved(in: Destination.entity) })
        }
    }

    /// The partner in a one-to-one relationship whose column the other side has.
    public static func toOne<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToOne<Record, Destination>>, _ nested: [Prefetch<Destination>] = []
    ) -> Prefetch where Record: PersistentRecord {
        let name = Record.self[keyPath: path].name
        return Prefetch { _ in
            PrefetchedRelationship(name, try nested.map { try $0.resolved(in: Destination.entity) })
        }
    }

    /// The objects to which a to-many relationship leads.
    ///
    /// - Parameters:
    ///   - path: The relationship.
    ///   - nested: Relationships of the objects to which it leads.
    /// - Returns: What a request takes.
    public static func toMany<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, _ nested: [Prefetch<Destination>] = []
    ) -> Prefetch where Record: PersistentRecord {
        let name = Record.self[keyPath: path].name
        return Prefetch { _ in
            PrefetchedRelationship(name, try nested.map { try $0.resolved(in: Destination.entity) })
        }
    }

    /// The objects to which a relationship of an entity leads, of any kind.
    ///
    /// - Parameters:
    ///   - name: The relationship's name; one that the entity does not have is an error of the fetch.
    ///   - nested: Names of relationships of the objects to which it leads.
    /// - Returns: What a request takes.
    public static func relationship(_ name: String, _ nested: [String] = []) -> Prefetch {
        Prefetch { entity in
            let names = entity.description.relationships.map(\.name)
            guard names.contains(name) else {
                throw PersistenceError(
                    .invalidRequest,
                    "there is no relationship “\(name)” to prefetch\(NearestName.suggestion(for: name, among: names))",
                    entity: entity.name)
            }
            return PrefetchedRelationship(name, nested.map { PrefetchedRelationship($0) })
        }
    }

    func resolved(in entity: RecordEntity<Record>) throws -> PrefetchedRelationship { try resolve(entity) }
}

/// A relationship that a fetch reads along, by name, and those of the objects to which it leads.
struct PrefetchedRelationship: Sendable {
    let name: String
    let nested: [PrefetchedRelationship]

    init(_ name: String, _ nested: [PrefetchedRelationship] = []) { (self.name, self.nested) = (name, nested) }
}

extension RecordEntity {
    /// The name of the reference at a key path.
    fileprivate func reference(at path: any PartialKeyPath<Record> & Sendable) throws -> String {
        guard let name = column(at: path), description.relationships.contains(where: { $0.name == name }) else {
            throw PersistenceError(
                .invalidRequest, "\((path as AnyKeyPath).text) is no relationship that could be prefetched",
                entity: self.name)
        }
        return name
    }
}
