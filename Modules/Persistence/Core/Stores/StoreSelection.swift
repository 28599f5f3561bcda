/// A request for values instead of rows: values of each row, or aggregates of groups of rows.
///
/// ```swift
/// let byBoss = StoreSelection(
///     StoreRequest("Employee"), [.property("boss"), .aggregate(.count), .aggregate(.sum(.property("salary")))],
///     grouping: StoreSelection.Grouping(by: [.property("boss")]))
/// ```
///
/// Without a ``grouping`` and without an aggregate, each selected row has one result, in the order of ``rows``. With
/// them, each group of rows with equal keys has one result. Rows without keys are one group, also if there are no rows.
///
/// If a number of a group that is not selected does not fit in 64 bits, the store may or may not report it.
///
/// A selection is a value with names and constants; it is validated when it is used, before a row is read.
///
/// ## Topics
///
/// ### Creating a selection
///
/// - ``init(_:_:distinct:grouping:)``
///
/// ### Contents
///
/// - ``rows``
/// - ``columns``
/// - ``isDistinct``
/// - ``grouping``
/// - ``Grouping``
public struct StoreSelection: Sendable {
    /// The keys of groups, and the conditions on groups.
    public struct Grouping: Sendable {
        /// The operands whose values are equal for all rows of a group; null is equal to null.
        public var keys: [FetchOperand]
        /// The condition that groups must satisfy; `nil` selects every group.
        ///
        /// It refers to the keys and to ``FetchOperand/aggregate(_:)``. An operand that equals one of ``keys`` is that
        /// key.
        public var having: FetchCondition?
        /// The order of groups, most important first; groups with equal values are sorted by their keys, null first.
        public var order: [StoreRequest.Sort]
        /// The maximum count of groups, at least 0; `nil` if there is no limit.
        public var limit: Int?
        /// The count of selected groups that are skipped at the beginning, at least 0.
        public var offset: Int

        /// Creates a grouping; it is validated when the selection is used.
        ///
        /// - Parameters:
        ///   - keys: The operands whose values are equal for all rows of a group; an empty array for one group.
        ///   - having: The condition that groups must satisfy; `nil` selects every group.
        ///   - order: The order of groups, most important first, before the order of the keys.
        ///   - limit: The maximum count of groups; `nil` for no limit.
        ///   - offset: The count of groups to skip.
        public init(
            by keys: [FetchOperand] = [], having: FetchCondition? = nil, order: [StoreRequest.Sort] = [],
            limit: Int? = nil, offset: Int = 0
        ) {
            self.keys = keys
            self.having = having
            self.order = order
            self.limit = limit
            self.offset = offset
        }
    }

    /// The request for the rows whose values are selected; only the rows inside its offset and limit belong to groups.
    public var rows: StoreRequest
    /// The values of each result; with groups, each consists of keys, aggregates and constants.
    public var columns: [FetchOperand]
    /// A Boolean value that indicates whether equal results are returned once.
    ///
    /// Null equals null. The limit and the offset of ``rows`` then apply to the different results, and the sort keys of
    /// ``rows`` must be among ``columns``. Groups are different already: a distinct selection with groups is invalid.
    public var isDistinct: Bool
    /// The keys of groups and the conditions on groups; `nil` for one group if a column contains an aggregate, and
    /// otherwise for no groups.
    public var grouping: Grouping?

    /// Creates a selection; it is validated when it is used.
    ///
    /// - Parameters:
    ///   - rows: The request for the rows.
    ///   - columns: The values of each result, at least one.
    ///   - distinct: A Boolean value that indicates whether equal results are returned once.
    ///   - grouping: The keys of groups and the conditions on groups.
    public init(
        _ rows: StoreRequest, _ columns: [FetchOperand], distinct: Bool = false, grouping: Grouping? = nil
    ) {
        self.rows = rows
        self.columns = columns
        self.isDistinct = distinct
        self.grouping = grouping
    }
}

extension StoreSelection {
    /// Returns a request for the same rows that also traverses the relationships of the selected values.
    ///
    /// It only lists relationships, and is never executed.
    package var traversing: StoreRequest {
        var operands = columns
        if let grouping {
            operands += grouping.keys
            operands += grouping.order.compactMap { if case .value(let operand) = $0.key { operand } else { nil } }
        }
        let conditions = [rows.condition, grouping?.having].compactMap(\.self)
        var request = rows
        request.condition = .all(conditions + operands.map(FetchCondition.traversing))
        return request
    }
}
