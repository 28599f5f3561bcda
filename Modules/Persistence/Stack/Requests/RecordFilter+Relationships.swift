public import Foundation
import StrataCore

/// What related objects fulfil, by typed relationships: one statement, however deep.
///
/// ```swift
/// let busy = RecordFilter<Boss>.count(\.employees, .greaterOrEqual, 3)
///     && .any(\.employees, matching: #Predicate { $0.salary > 90_000 })
/// let theirs = RecordFilter<Employee>.related(\.boss, matching: busy)
/// ```
extension RecordFilter where Record: PersistentRecord {
    // MARK: To one

    /// The reference leads to an object that the filter selects; one that leads nowhere does not.
    public static func related<Destination: PersistentRecord>(
        _ path: any KeyPath<Record, Destination.ID?> & Sendable, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        related(at: path, matching: filter)
    }

    /// The reference leads to an object that the predicate matches; one that leads nowhere does not.
    public static func related<Destination: PersistentRecord>(
        _ path: any KeyPath<Record, Destination.ID?> & Sendable, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        related(at: path, matching: .matching(predicate))
    }

    /// The reference, which always leads somewhere, leads to an object that the filter selects.
    public static func related<Destination: PersistentRecord>(
        _ path: any KeyPath<Record, Destination.ID> & Sendable, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        related(at: path, matching: filter)
    }

    /// The reference, which always leads somewhere, leads to an object that the predicate matches.
    public static func related<Destination: PersistentRecord>(
        _ path: any KeyPath<Record, Destination.ID> & Sendable, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        related(at: path, matching: .matching(predicate))
    }

    /// There is an object that refers to this one, and the filter selects it.
    public static func related<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToOne<Record, Destination>>, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        related(Record.self[keyPath: path].name, filter)
    }

    /// There is an object that refers to this one, and the predicate matches it.
    public static func related<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToOne<Record, Destination>>, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        related(path, matching: .matching(predicate))
    }

    // MARK: To many

    /// The filter selects at least one of the related objects.
    public static func any<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        related(Record.self[keyPath: path].name, filter)
    }

    /// The predicate matches at least one of the related objects.
    public static func any<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        any(path, matching: .matching(predicate))
    }

    /// The filter selects every related object; so it does where there is none.
    public static func all<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        none(path, matching: !filter)
    }

    /// The predicate matches every related object; so it does where there is none.
    public static func all<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        all(path, matching: .matching(predicate))
    }

    /// The filter selects none of the related objects.
    public static func none<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        .not(any(path, matching: filter))
    }

    /// The predicate matches none of the related objects.
    public static func none<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        none(path, matching: .matching(predicate))
    }

    /// The number of related objects, of all or of those that a filter selects, compares so with a number.
    public static func count<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, _ comparison: FetchComparison, _ number: Int,
        where filter: RecordFilter<Destination>? = nil
    ) -> RecordFilter {
        let name = Record.self[keyPath: path].name
        return .lowered {
            let condition = try filter?.condition() ?? .constant(true)
            return .compare(.relatedCount(name, condition), comparison, .constant(.integer(Int64(number))))
        }
    }

    /// The number of related objects that a predicate matches compares so with a number.
    public static func count<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, _ comparison: FetchComparison, _ number: Int,
        where predicate: Predicate<Destination>
    ) -> RecordFilter {
        count(path, comparison, number, where: .matching(predicate))
    }

    // MARK: Lowering

    private static func related<Destination: PersistentRecord>(
        _ name: String, _ filter: RecordFilter<Destination>
    ) -> RecordFilter {
        .lowered { .related(name, try filter.condition()) }
    }

    private static func related<Destination: PersistentRecord>(
        at path: any PartialKeyPath<Record> & Sendable, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        .lowered {
            let entity = Record.entity
            // Two record types may share a type of identifiers.
            guard let name = entity.column(at: path), let relationship = entity.description.relationship(named: name),
                relationship.destination == Destination.entity.name
            else {
                throw PersistenceError(
                    .invalidRequest,
                    "\((path as AnyKeyPath).text) is no relationship to \(Destination.entity.name)", entity: entity.name
                )
            }
            return .related(name, try filter.condition())
        }
    }
}
