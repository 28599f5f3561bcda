import StrataCore

/// An aggregate over records: a count, a sum, an average, or the least or greatest value.
///
/// Null is ignored, except by ``count()``. Without records, a count and a total are 0, and every other
/// aggregate is `nil`.
///
/// ```swift
/// let (count, salaries) = try await context.aggregate(FetchRequest<Employee>(), .count(), .sum(\.salary))
/// ```
///
/// For the results of each function, see ``FetchAggregate``.
///
/// ## Topics
///
/// ### Counting
///
/// - ``count()``
/// - ``count(_:)``
/// - ``count(distinct:)``
///
/// ### Adding
///
/// - ``sum(_:)-(KeyPath<Record,Number>Sendable)``
/// - ``sum(_:)-(KeyPath<Record,Number?>Sendable)``
/// - ``total(_:)-(KeyPath<Record,Number>Sendable)``
/// - ``total(_:)-(KeyPath<Record,Number?>Sendable)``
/// - ``average(_:)-(KeyPath<Record,Number>Sendable)``
/// - ``average(_:)-(KeyPath<Record,Number?>Sendable)``
///
/// ### Choosing
///
/// - ``minimum(_:)-(KeyPath<Record,Wrapped>Sendable)``
/// - ``minimum(_:)-(KeyPath<Record,Wrapped?>Sendable)``
/// - ``maximum(_:)-(KeyPath<Record,Wrapped>Sendable)``
/// - ``maximum(_:)-(KeyPath<Record,Wrapped?>Sendable)``
///
/// ### Other operands
///
/// - ``value(_:)``
public struct Aggregate<Record: ManagedRecord, Value: AttributeValue>: Sendable {
    let operand: @Sendable (RecordEntity<Record>) throws -> FetchOperand

    /// Returns an aggregate over an expression, or a calculation with aggregates.
    ///
    /// ```swift
    /// let spread = Aggregate<Employee, Int?>.value(
    ///     .arithmetic(
    ///         .aggregate(.maximum(.property("salary"))), .subtract, .aggregate(.minimum(.property("salary")))))
    /// ```
    ///
    /// The type of the result must be that of the expression's values, and an optional if the expression may be null.
    ///
    /// - Parameter operand: An expression with ``FetchOperand/aggregate(_:)``.
    /// - Returns: The aggregate.
    public static func value(_ operand: FetchOperand) -> Aggregate { Aggregate { _ in operand } }

    private init(_ operand: @escaping @Sendable (RecordEntity<Record>) throws -> FetchOperand) {
        self.operand = operand
    }

    private init(
        _ path: any PartialKeyPath<Record> & Sendable, _ aggregate: @escaping @Sendable (FetchOperand) -> FetchAggregate
    ) {
        operand = { .aggregate(aggregate(try RecordValue<Record, Int>.operand(at: path, of: $0))) }
    }

    // MARK: Counting

    /// Returns the count of records.
    public static func count() -> Aggregate where Value == Int { Aggregate { _ in .aggregate(.count) } }

    /// Returns the count of records in which a property is not null.
    ///
    /// - Parameter path: The key path of a property.
    /// - Returns: The aggregate.
    public static func count(_ path: any PartialKeyPath<Record> & Sendable) -> Aggregate where Value == Int {
        Aggregate(path, FetchAggregate.countValues)
    }

    /// Returns the count of different values, or of different combinations of values; a record in which one of them is
    /// null is ignored.
    ///
    /// - Parameter paths: The key paths of one or more properties.
    /// - Returns: The aggregate.
    public static func count(
        distinct paths: any PartialKeyPath<Record> & Sendable...
    ) -> Aggregate where Value == Int {
        Aggregate { entity in
            .aggregate(.countDistinct(try paths.map { try RecordValue<Record, Int>.operand(at: $0, of: entity) }))
        }
    }

    // MARK: Adding

    /// Returns the sum of a property.
    ///
    /// A sum that does not fit in 64 bits is an error with code ``PersistenceError/Code/arithmetic``.
    public static func sum<Number: SummableValue>(
        _ path: any KeyPath<Record, Number> & Sendable
    ) -> Aggregate where Value == Number.Sum? {
        Aggregate(path, FetchAggregate.sum)
    }

    /// Returns the sum of an optional property.
    ///
    /// A sum that does not fit in 64 bits is an error with code ``PersistenceError/Code/arithmetic``.
    public static func sum<Number: SummableValue>(
        _ path: any KeyPath<Record, Number?> & Sendable
    ) -> Aggregate where Value == Number.Sum? {
        Aggregate(path, FetchAggregate.sum)
    }

    /// Returns the sum of a property, which is 0 without records.
    public static func total<Number: SummableValue>(
        _ path: any KeyPath<Record, Number> & Sendable
    ) -> Aggregate where Value == Number.Sum {
        Aggregate(path, FetchAggregate.total)
    }

    /// Returns the sum of an optional property, which is 0 if no record has a value.
    public static func total<Number: SummableValue>(
        _ path: any KeyPath<Record, Number?> & Sendable
    ) -> Aggregate where Value == Number.Sum {
        Aggregate(path, FetchAggregate.total)
    }

    /// Returns the average of a property; for a decimal, with six more digits after the point.
    public static func average<Number: SummableValue>(
        _ path: any KeyPath<Record, Number> & Sendable
    ) -> Aggregate where Value == Number.Average? {
        Aggregate(path, FetchAggregate.average)
    }

    /// Returns the average of an optional property; for a decimal, with six more digits after the point.
    public static func average<Number: SummableValue>(
        _ path: any KeyPath<Record, Number?> & Sendable
    ) -> Aggregate where Value == Number.Average? {
        Aggregate(path, FetchAggregate.average)
    }

    // MARK: Choosing

    /// Returns the least value of a property.
    public static func minimum<Wrapped: AttributeValue>(
        _ path: any KeyPath<Record, Wrapped> & Sendable
    ) -> Aggregate where Value == Wrapped? {
        Aggregate(path, FetchAggregate.minimum)
    }

    /// Returns the least value of an optional property.
    public static func minimum<Wrapped: AttributeValue>(
        _ path: any KeyPath<Record, Wrapped?> & Sendable
    ) -> Aggregate where Value == Wrapped? {
        Aggregate(path, FetchAggregate.minimum)
    }

    /// Returns the greatest value of a property.
    public static func maximum<Wrapped: AttributeValue>(
        _ path: any KeyPath<Record, Wrapped> & Sendable
    ) -> Aggregate where Value == Wrapped? {
        Aggregate(path, FetchAggregate.maximum)
    }

    /// Returns the greatest value of an optional property.
    public static func maximum<Wrapped: AttributeValue>(
        _ path: any KeyPath<Record, Wrapped?> & Sendable
    ) -> Aggregate where Value == Wrapped? {
        Aggregate(path, FetchAggregate.maximum)
    }
}
