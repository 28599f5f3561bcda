import StrataCore

/// A relationship whose objects a fetch reads along with its own.
///
/// ```swift
/// let prefetching = FetchRequest<Employee>(prefetching: [.toOne(\.boss)])
/// ```
public struct Prefetch<Record: ManagedRecord>: Sendable {
    /// The relationship's name; throws where the key path is none.
    private let name: @Sendable (RecordEntity<Record>) throws -> String

    /// The object to which a reference of the record leads.
    public static func toOne(_ path: any PartialKeyPath<Record> & Sendable) -> Prefetch {
        Prefetch { entity in
            let name = entity.column(at: path)
            guard let name, entity.description.relationships.contains(where: { $0.name == name }) else {
                throw PersistenceError(
                    .invalidRequest, "\((path as AnyKeyPath).text) is no relationship that could be prefetched",
                    entity: entity.name)
            }
            return name
        }
    }

    /// The partner in a one-to-one relationship whose column the other side has.
    public static func toOne<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToOne<Record, Destination>>
    ) -> Prefetch where Record: PersistentRecord {
        let name = Record.self[keyPath: path].name
        return Prefetch { _ in name }
    }

    /// The objects to which a to-many relationship leads.
    public static func toMany<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>
    ) -> Prefetch where Record: PersistentRecord {
        let name = Record.self[keyPath: path].name
        return Prefetch { _ in name }
    }

    /// The objects to which a relationship of an entity leads, of any kind.
    ///
    /// - Parameter name: The relationship's name; one that the entity does not have is an error of the fetch.
    /// - Returns: What a request takes.
    public static func relationship(_ name: String) -> Prefetch {
        Prefetch { entity in
            let names = entity.description.relationships.map(\.name)
            guard names.contains(name) else {
                throw PersistenceError(
                    .invalidRequest,
                    "there is no relationship “\(name)” to prefetch\(NearestName.suggestion(for: name, among: names))",
                    entity: entity.name)
            }
            return name
        }
    }

    func relationship(of entity: RecordEntity<Record>) throws -> String { try name(entity) }
}
