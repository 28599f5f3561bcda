import StrataCore

/// A relationship whose related objects a fetch reads in addition to the objects that its request selects.
///
/// ```swift
/// let prefetching = FetchRequest<Employee>(prefetching: [.toOne(\.boss)])
/// ```
///
/// Each prefetched relationship needs one statement for all selected objects, and a many-to-many relationship needs
/// two. Without a prefetch, each object whose relationship is followed needs one. The related objects are in memory
/// until the closure of the context ends.
///
/// ## Topics
///
/// - ``toOne(_:)``
/// - ``toOne(_:to:_:)``
/// - ``toOne(_:_:)``
/// - ``toMany(_:_:)``
/// - ``relationship(_:_:)``
public struct Prefetch<Record: ManagedRecord>: Sendable {
    /// A closure that returns the relationship with its nested relationships.
    ///
    /// It throws an error if the entity does not have the relationship.
    private let resolve: @Sendable (RecordEntity<Record>) throws -> PrefetchedRelationship

    private init(_ resolve: @escaping @Sendable (RecordEntity<Record>) throws -> PrefetchedRelationship) {
        self.resolve = resolve
    }

    /// Returns a prefetch of the related object of a to-one relationship.
    ///
    /// - Parameter path: The property with the reference. If it is not a relationship of the entity, the fetch throws
    ///   an error.
    /// - Returns: The prefetch for a request.
    public static func toOne(_ path: any PartialKeyPath<Record> & Sendable) -> Prefetch {
        Prefetch { PrefetchedRelationship(try $0.reference(at: path)) }
    }

    /// Returns a prefetch of the related object of a to-one relationship, and of the object's own relationships.
    ///
    /// ```swift
    /// let request = FetchRequest<Album>(
    ///     prefetching: [.toOne(\.artist, to: Artist.self, [.toOne(\.country)]), .toMany(\.genres)])
    /// ```
    ///
    /// - Parameters:
    ///   - path: The to-one relationship.
    ///   - destination: The record type of the related object.
    ///   - nested: The relationships of the related object to prefetch too.
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

    /// Returns a prefetch of the related object of a one-to-one relationship whose column is in the related row.
    public static func toOne<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToOne<Record, Destination>>, _ nested: [Prefetch<Destination>] = []
    ) -> Prefetch where Record: PersistentRecord {
        let name = Record.self[keyPath: path].name
        return Prefetch { _ in
            PrefetchedRelationship(name, try nested.map { try $0.resolved(in: Destination.entity) })
        }
    }

    /// Returns a prefetch of the related objects of a to-many relationship.
    ///
    /// - Parameters:
    ///   - path: The to-many relationship.
    ///   - nested: The relationships of the related objects to prefetch too.
    /// - Returns: The prefetch for a request.
    public static func toMany<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, _ nested: [Prefetch<Destination>] = []
    ) -> Prefetch where Record: PersistentRecord {
        let name = Record.self[keyPath: path].name
        return Prefetch { _ in
            PrefetchedRelationship(name, try nested.map { try $0.resolved(in: Destination.entity) })
        }
    }

    /// Returns a prefetch of the related objects of a relationship of any kind, by its name.
    ///
    /// - Parameters:
    ///   - name: The name of the relationship. If the entity does not have the relationship, the fetch throws an error.
    ///   - nested: The names of relationships of the related objects to prefetch too.
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

/// The name of a relationship to prefetch, with the relationships of its related objects to prefetch.
struct PrefetchedRelationship: Sendable {
    let name: String
    let nested: [PrefetchedRelationship]

    init(_ name: String, _ nested: [PrefetchedRelationship] = []) { (self.name, self.nested) = (name, nested) }
}

extension RecordEntity {
    /// Returns the name of the to-one relationship at a key path.
    fileprivate func reference(at path: any PartialKeyPath<Record> & Sendable) throws -> String {
        guard let name = column(at: path), description.relationships.contains(where: { $0.name == name }) else {
            throw PersistenceError(
                .invalidRequest, "\((path as AnyKeyPath).text) is not a relationship that can be prefetched",
                entity: self.name)
        }
        return name
    }
}
