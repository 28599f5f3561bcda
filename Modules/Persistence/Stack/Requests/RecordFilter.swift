public import Foundation
import StrataCore

/// A filter that selects records: a predicate, a condition that `#Predicate` cannot express, or a combination by `&&`,
/// `||` and `!`.
///
/// ```swift
/// let filter = RecordFilter<Employee>.matching(#Predicate { $0.salary > 50_000 })
///     && .text(\.lastName, contains: "an", ignoringCase: true)
/// ```
///
/// The comparisons `<`, `<=`, `>` and `>=` with null are false, and `!` selects every record that its filter does not
/// select, including those with null; see <doc:ComparisonRules>. The filters are evaluated from left to right, and the
/// evaluation ends when the result is decided. A calculation that fails, for example an overflow, is therefore an error
/// only if it is reached.
///
/// A filter is checked when a request uses it. If a property is unknown or a part of a predicate has no equivalent in
/// stores, the request throws ``PersistenceError/Code/invalidRequest``.
///
/// ## Topics
///
/// ### Predicates and conditions
///
/// - ``matching(_:)``
/// - ``condition(_:)``
/// - ``lowered(_:)``
///
/// ### Texts
///
/// - ``text(_:contains:ignoringCase:)``
/// - ``prefix(_:of:ignoringCase:)``
///
/// ### Combinations
///
/// - ``all(_:)``
/// - ``any(_:)``
/// - ``not(_:)``
///
/// ### Filters of records without a Swift type
///
/// - ``init(_:where:now:)``
/// - ``compare(_:_:_:)``
///
/// ### Translation for stores
///
/// - ``condition(of:)``
/// - ``condition()``
public indirect enum RecordFilter<Record: ManagedRecord>: Sendable {
    /// Selects the records that match a predicate.
    case matching(Predicate<Record>)
    /// Selects the records that match a condition.
    ///
    /// Use a condition for what `#Predicate` cannot express, such as patterns, functions of texts and nested
    /// relationships.
    case condition(FetchCondition)
    /// Selects the records whose text property contains a text.
    ///
    /// If `ignoringCase` is `true`, uppercase and lowercase letters from A to Z are equal.
    case text(any PartialKeyPath<Record> & Sendable, contains: String, ignoringCase: Bool)
    /// Selects the records whose text property starts with a text.
    ///
    /// If `ignoringCase` is `true`, uppercase and lowercase letters from A to Z are equal.
    case prefix(any PartialKeyPath<Record> & Sendable, of: String, ignoringCase: Bool)
    /// Selects the records that all filters select; the filters are evaluated in the order of the array.
    ///
    /// An empty array selects every record.
    case all([RecordFilter])
    /// Selects the records that at least one filter selects; the filters are evaluated in the order of the array.
    ///
    /// An empty array selects no record.
    case any([RecordFilter])
    /// Selects the records that the filter does not select.
    case not(RecordFilter)
    /// Selects the records that match a condition, which a closure creates when the request is sent to a store.
    ///
    /// The filters by related objects are of this kind.
    case lowered(@Sendable () throws -> FetchCondition)

    /// Returns a filter for the records that both filters select, without nesting lists of filters.
    public static func && (lhs: RecordFilter, rhs: RecordFilter) -> RecordFilter { .all(lhs.conjuncts + rhs.conjuncts) }
    /// Returns a filter for the records that at least one of the two filters selects, without nesting lists of filters.
    public static func || (lhs: RecordFilter, rhs: RecordFilter) -> RecordFilter { .any(lhs.disjuncts + rhs.disjuncts) }
    /// Returns a filter for the records that the filter does not select.
    public static prefix func ! (filter: RecordFilter) -> RecordFilter { .not(filter) }

    /// Returns the filter translated to the condition that stores support.
    ///
    /// - Parameter entity: The entity of the records.
    /// - Returns: The condition.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a part of the filter cannot
    ///   be translated; the error names that part.
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
                .invalidRequest, "\((path as AnyKeyPath).text) is not a property of the entity", entity: entity.name)
        }
        return .property(column)
    }
}

extension RecordFilter where Record: PersistentRecord {
    /// Returns the filter translated to the condition that stores support.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if a part of the filter cannot
    ///   be translated; the error names that part.
    public func condition() throws -> FetchCondition { try condition(of: Record.entity) }
}
