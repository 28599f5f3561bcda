public import Foundation
import StrataCore

/// The filters by related objects of typed relationships, which a store executes as one statement at any depth.
///
/// ```swift
/// let busy = RecordFilter<Boss>.count(\.employees, .greaterOrEqual, 3)
///     && .any(\.employees, matching: #Predicate { $0.salary > 90_000 })
/// let theirs = RecordFilter<Employee>.related(\.boss, matching: busy)
/// ```
extension RecordFilter where Record: PersistentRecord {
    // MARK: To one

    /// Returns a filter for records whose optional reference is to an object that another filter selects.
    ///
    /// If the reference is null, the record is not selected.
    public static func related<Destination: PersistentRecord>(
        _ path: any KeyPath<Record, Destination.ID?> & Sendable, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        related(at: path, matching: filter)
    }

    /// Returns a filter for records whose optional reference is to an object that matches a predicate.
    ///
    /// If the reference is null, the record is not selected.
    public static func related<Destination: PersistentRecord>(
        _ path: any KeyPath<Record, Destination.ID?> & Sendable, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        related(at: path, matching: .matching(predicate))
    }

    /// Returns a filter for records whose mandatory reference is to an object that another filter selects.
    public static func related<Destination: PersistentRecord>(
        _ path: any KeyPath<Record, Destination.ID> & Sendable, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        related(at: path, matching: filter)
    }

    /// Returns a filter for records whose mandatory reference is to an object that matches a predicate.
    public static func related<Destination: PersistentRecord>(
        _ path: any KeyPath<Record, Destination.ID> & Sendable, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        related(at: path, matching: .matching(predicate))
    }

    /// Returns a filter for records that are referenced by an object that another filter selects.
    public static func related<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToOne<Record, Destination>>, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        related(Record.self[keyPath: path].name, filter)
    }

    /// Returns a filter for records that are referenced by an object that matches a predicate.
    public static func related<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToOne<Record, Destination>>, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        related(path, matching: .matching(predicate))
    }

    // MARK: To many

    /// Returns a filter for records with at least one related object that another filter selects.
    public static func any<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        related(Record.self[keyPath: path].name, filter)
    }

    /// Returns a filter for records with at least one related object that matches a predicate.
    public static func any<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        any(path, matching: .matching(predicate))
    }

    /// Returns a filter for records whose related objects are all selected by another filter.
    ///
    /// A record without related objects is selected too.
    public static func all<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        none(path, matching: !filter)
    }

    /// Returns a filter for records whose related objects all match a predicate.
    ///
    /// A record without related objects is selected too.
    public static func all<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        all(path, matching: .matching(predicate))
    }

    /// Returns a filter for records without any related object that another filter selects.
    public static func none<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching filter: RecordFilter<Destination>
    ) -> RecordFilter {
        .not(any(path, matching: filter))
    }

    /// Returns a filter for records without any related object that matches a predicate.
    public static func none<Destination: PersistentRecord>(
        _ path: KeyPath<Record.Type, ToMany<Record, Destination>>, matching predicate: Predicate<Destination>
    ) -> RecordFilter {
        none(path, matching: .matching(predicate))
    }

    /// Returns a filter that compares the number of a record's related objects with `number`.
    ///
    /// - Parameters:
    ///   - path: The to-many relationship.
    ///   - comparison: The comparison operator, whose left operand is the number of related objects.
    ///   - number: The right operand.
    ///   - filter: The filter for the related objects to count; `nil` counts all of them.
    /// - Returns: The filter. A record without related objects has the number 0.
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

    /// Returns a filter that compares `number` with the number of a record's related objects that match a predicate.
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
            // The check of the destination is necessary because two record types may have the same type of identifiers.
            guard let name = entity.column(at: path), let relationship = entity.description.relationship(named: name),
                relationship.destination == Destination.entity.name
            else {
                throw PersistenceError(
                    .invalidRequest,
                    "\((path as AnyKeyPath).text) is not a relationship to \(Destination.entity.name)",
                    entity: entity.name
                )
            }
            return .related(name, try filter.condition())
        }
    }
}
