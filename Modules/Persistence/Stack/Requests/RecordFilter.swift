public import Foundation
import StrataCore

/// Which records are meant: predicates, and what `#Predicate` cannot say, combined by `&&`, `||` and `!`.
///
/// ```swift
/// let filter = RecordFilter<Employee>.matching(#Predicate { $0.salary > 50_000 })
///     && .text(\.lastName, contains: "an", ignoringCase: true)
/// ```
public indirect enum RecordFilter<Record: ManagedRecord>: Sendable {
    /// What a predicate matches.
    case matching(Predicate<Record>)
    /// What a condition made by hand matches.
    case condition(FetchCondition)
    /// A text property contains a text; letters A to Z in either case when `ignoringCase`.
    case text(any PartialKeyPath<Record> & Sendable, contains: String, ignoringCase: Bool)
    /// A text property starts with a text; letters A to Z in either case when `ignoringCase`.
    case prefix(any PartialKeyPath<Record> & Sendable, of: String, ignoringCase: Bool)
    /// What every one of the filters selects; evaluated in this order.
    case all([RecordFilter])
    /// What at least one of the filters selects; evaluated in this order.
    case any([RecordFilter])
    /// What the filter does not select.
    case not(RecordFilter)
    /// What a condition selects that is made when the request is sent to a store; the filters across relationships are of this kind.
    case lowered(@Sendable () throws -> FetchCondition)

    /// What both filters select; nested lists are made one.
    public static func && (lhs: RecordFilter, rhs: RecordFilter) -> RecordFilter { .all(lhs.conjuncts + rhs.conjuncts) }
    /// What at least one of the filters selects; nested lists are made one.
    public static func || (lhs: RecordFilter, rhs: RecordFilter) -> RecordFilter { .any(lhs.disjuncts + rhs.disjuncts) }
    /// What the filter does not select.
    public static prefix func ! (filter: RecordFilter) -> RecordFilter { .not(filter) }

    /// The filter as the condition tree that stores understand.
    ///
    /// - Parameter entity: Whose records are meant.
    /// - Returns: The condition.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that names what cannot be translated.
    public func condition(of entity: RecordEntity<Record>) throws -> FetchCondition {
        switch self {
        case .matching(let predicate): try PredicateLowering.condition(of: predicate, entity)
        case .condition(let condition): condition
        case .text(let path, let part, let ignoringCase):
            .contains(try Self.property(path, of: entity), .constant(.string(part)), ignoringCase: ignoringCase)
        case .prefix(let path, let part, let ignoringCase):
            .startsWith(try Self.property(path, of: entity), .constant(.string(part)), ignoringCase: ignoringCase)
        case .all(let filters): .all(try filters.flatMap { try $0.condition(of: entity).conjuncts })
        case .any(let filters): .any(try filters.flatMap { try $0.condition(of: entity).disjuncts })
        case .not(let filter): .not(try filter.condition(of: entity))
        case .lowered(let condition): try condition()
        }
    }

    private var conjuncts: [RecordFilter] {
        if case .all(let filters) = self { filters } else { [self] }
    }

    private var disjuncts: [RecordFilter] {
        if case .any(let filters) = self { filters } else { [self] }
    }

    private static func property(
        _ path: any PartialKeyPath<Record> & Sendable, of entity: RecordEntity<Record>
    ) throws -> FetchOperand {
        guard let column = entity.column(at: path) else {
            throw PersistenceError(
                .invalidRequest, "\((path as AnyKeyPath).text) is no property of the entity", entity: entity.name)
        }
        return .property(column)
    }
}

extension RecordFilter where Record: PersistentRecord {
    /// The filter as the condition tree that stores understand.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that names what cannot be translated.
    public func condition() throws -> FetchCondition { try condition(of: Record.entity) }
}
