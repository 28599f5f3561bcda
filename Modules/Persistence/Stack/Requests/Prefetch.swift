import StrataCore

/// A relationship whose objects a fetch reads together with its own objects.
///
/// ```swift
/// let prefetching = FetchRequest<Employee>(prefetching: [.toOne(\.boss)])
/// ```
public struct Prefetch<Record: ManagedRecord>: Sendable {
    /// The closure that returns the relationship and its nested relationships.
    ///
    /// It throws an error if the entity does not have the relationship.
    private let resolve: @Sendable (RecordEntity<Record>) throws -> PrefetchedRelationship

    private init(_ resolve: @escaping @Sendable (RecordEntity<Record>) throws -> PrefetchedRelationship) {
        self.resolve = resolve
    }

    /// Returns a prefetch of the object that a reference of the record references.
    public static func toOne(_ path: any PartialKeyPath<Record> & Sendable) -> Prefetch {
        Prefetch { PrefetchedRelationship(try $0.reference(at: path)) }
    }

    /// Returns a prefetch of the object that a reference of the record references, and of its nested relationships.
    ///
    /// ```swift
    /// let request = FetchRequest<Album>(
    ///     prefetching: [.toOne(\.artist, to: Artist.self, [.toOne(\.country)]), .toMany(\.genres)])
    /// ```
    ///
    /// - Parameters:
    ///   - path: The reference.
    ///   - destination: The record type of the referenced object.
    ///   - nested: Relationships of the referenced object.
    /// - Returns: The prefetch for a request.
    public static func toOne<Destination: PersistentRecord>(
        _ path: any PartialKeyPath<Record> & Sendable, to destination: Destination.Type,
        _ nested: [Prefetch<Destination>]
    ) -> Prefetch {
        Prefetch { entity in
            PrefetchedRelationship(
                try entity.reference(at: path), try nested.map { try $0.resolved(in: Destination.entity) })
        }
    }

    /// Returns a prefetch of the counterpart in a one-to-one relationship whose column is on the other side.
    public static func toOne<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToOne<Record, Destination>>, _ nested: [Prefetch<Destination>] = []
    ) -> Prefetch where Record: PersistentRecord {
        let name = Record.self[keyPath: path].name
        return Prefetch { _ in
            PrefetchedRelationship(name, try nested.map { try $0.resolved(in: Destination.entity) })
        }
    }

    /// Returns a prefetch of the objects of a to-many relationship.
    ///
    /// - Parameters:
    ///   - path: The relationship.
    ///   - nested: Relationships of these objects.
    /// - Returns: The prefetch for a request.
    public static func toMany<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, _ nested: [Prefetch<Destination>] = []
    ) -> Prefetch where Record: PersistentRecord {
        let name = Record.self[keyPath: path].name
        return Prefetch { _ in
            PrefetchedRelationship(name, try nested.map { try $0.resolved(in: Destination.entity) })
        }
    }

    /// Returns a prefetch of the objects of an entity's relationship of any kind.
    ///
    /// - Parameters:
    ///   - name: The relationship's name. If the entity does not have the relationship, the fetch throws an error.
    ///   - nested: The names of relationships of these objects.
    /// - Returns: The prefetch for a request.
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

/// The name of a prefetched relationship, with the prefetched relationships of its objects.
struct PrefetchedRelationship: Sendable {
    let name: String
    let nested: [PrefetchedRelationship]

    init(_ name: String, _ nested: [PrefetchedRelationship] = []) { (self.name, self.nested) = (name, nested) }
}

extension RecordEntity {
    /// Returns the name of the reference at a key path.
    fileprivate func reference(at path: any PartialKeyPath<Record> & Sendable) throws -> String {
        guard let name = column(at: path), description.relationships.contains(where: { $0.name == name }) else {
            throw PersistenceError(
                .invalidRequest, "\((path as AnyKeyPath).text) is not a relationship that can be prefetched",
                entity: self.name)
        }
        return name
    }
}
