public import Foundation
import StrataCore

/// A condition on groups: a comparison of a key or an aggregate with a value, or a combination of conditions.
///
/// ```swift
/// let salaries = Aggregate<Employee, Int?>.sum(\.salary)
/// let expensive = try await context.aggregate(
///     FetchRequest<Employee>(), by: .property(\.boss), select: salaries,
///     having: .compare(salaries, .greater, 1_000_000))
/// ```
///
/// ## Topics
///
/// ### Comparing
///
/// - ``compare(_:_:_:)``
/// - ``key(_:_:_:)``
/// - ``condition(_:)``
///
/// ### Combining
///
/// - ``all(_:)``
/// - ``any(_:)``
/// - ``not(_:)``
public struct AggregateFilter<Record: ManagedRecord>: Sendable {
    let condition: @Sendable (RecordEntity<Record>) throws -> FetchCondition

    /// Returns a condition that compares an aggregate with a value.
    ///
    /// A comparison of order is false if the aggregate is null.
    ///
    /// - Parameters:
    ///   - aggregate: The aggregate, which need not be among the selected ones.
    ///   - comparison: The comparison operator, whose left operand is the aggregate.
    ///   - value: The value with which the aggregate is compared.
    /// - Returns: The condition.
    public static func compare<Value: AttributeValue>(
        _ aggregate: Aggregate<Record, Value>, _ comparison: FetchComparison, _ value: Value
    ) -> AggregateFilter {
        AggregateFilter { entity in
            .compare(try aggregate.operand(entity), comparison, .constant(try value.storedValue()))
        }
    }

    /// Returns a condition that compares a key of the groups with a value.
    ///
    /// - Parameters:
    ///   - key: The key, which must be one of the keys of the groups.
    ///   - comparison: The comparison operator, whose left operand is the key.
    ///   - value: The value with which the key is compared.
    /// - Returns: The condition.
    public static func key<Value: AttributeValue>(
        _ key: RecordValue<Record, Value>, _ comparison: FetchComparison, _ value: Value
    ) -> AggregateFilter {
        AggregateFilter { entity in
            .compare(try key.operand(entity), comparison, .constant(try value.storedValue()))
        }
    }

    /// Returns a condition of keys and ``FetchOperand/aggregate(_:)``, by their names in the model.
    public static func condition(_ condition: FetchCondition) -> AggregateFilter { AggregateFilter { _ in condition } }

    /// Returns a condition that is true if all of the conditions are true.
    public static func all(_ filters: [AggregateFilter]) -> AggregateFilter {
        AggregateFilter { entity in .all(try filters.map { try $0.condition(entity) }) }
    }

    /// Returns a condition that is true if at least one of the conditions is true.
    public static func any(_ filters: [AggregateFilter]) -> AggregateFilter {
        AggregateFilter { entity in .any(try filters.map { try $0.condition(entity) }) }
    }

    /// Returns a condition that is true if the other condition is false.
    public static func not(_ filter: AggregateFilter) -> AggregateFilter {
        AggregateFilter { entity in .not(try filter.condition(entity)) }
    }
}

/// A sort key of groups: an aggregate or a key, with its direction.
///
/// ## Topics
///
/// - ``value(_:order:)``
/// - ``key(_:order:)``
public struct AggregateOrder<Record: ManagedRecord>: Sendable {
    let sort: @Sendable (RecordEntity<Record>) throws -> StoreRequest.Sort

    /// Returns a sort key from an aggregate, which need not be among the selected ones.
    ///
    /// - Parameters:
    ///   - aggregate: The aggregate.
    ///   - order: The direction: `.forward` sorts null first.
    /// - Returns: The sort key.
    public static func value<Value>(
        _ aggregate: Aggregate<Record, Value>, order: SortOrder = .forward
    ) -> AggregateOrder {
        AggregateOrder { entity in
            StoreRequest.Sort(key: .value(try aggregate.operand(entity)), descending: order == .reverse)
        }
    }

    /// Returns a sort key from a key of the groups.
    ///
    /// - Parameters:
    ///   - key: The key, which must be one of the keys of the groups.
    ///   - order: The direction: `.forward` sorts null first.
    /// - Returns: The sort key.
    public static func key<Value>(_ key: RecordValue<Record, Value>, order: SortOrder = .forward) -> AggregateOrder {
        AggregateOrder { entity in
            StoreRequest.Sort(key: .value(try key.operand(entity)), descending: order == .reverse)
        }
    }
}
