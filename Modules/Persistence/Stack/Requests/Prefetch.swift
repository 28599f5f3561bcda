import StrataCore

/// A relationship whose objects a fetch reads along with its own.
///
/// ```swift
/// let prefetching = FetchRequest<Employee>(prefetching: [.toOne(\.boss)])
/// ```
public struct Prefetch<Record: PersistentRecord>: Sendable {
    /// The relationship's name; `nil` where the key path is none.
    let name: String?
    private let path: String

    /// The object to which a reference of the record leads.
    public static func toOne(_ path: any PartialKeyPath<Record> & Sendable) -> Prefetch {
        let name = Record.entity.column(at: path)
        let isReference = Record.entity.description.relationships.contains { $0.name == name }
        return Prefetch(name: isReference ? name : nil, path: (path as AnyKeyPath).text)
    }

    /// The partner in a one-to-one relationship whose column the other side has.
    public static func toOne<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToOne<Record, Destination>>
    ) -> Prefetch {
        Prefetch(name: Record.self[keyPath: path].name, path: path.text)
    }

    /// The objects to which a to-many relationship leads.
    public static func toMany<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>
    ) -> Prefetch {
        Prefetch(name: Record.self[keyPath: path].name, path: path.text)
    }

    func relationship() throws -> String {
        guard let name else {
            throw PersistenceError(
                .invalidRequest, "\(path) is no relationship that could be prefetched", entity: Record.entity.name)
        }
        return name
    }
}
