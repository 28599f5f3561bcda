/// A request for rows of one entity: a condition, sort keys, an offset and a limit.
///
/// ```swift
/// let isFirst = FetchCondition.compare(.property("id"), .equal, .constant(.integer(1)))
/// let request = try StoreRequest("Node", where: isFirst).resolved(in: store.model)
/// ```
///
/// Use it to read a store without record types: in tools, in bulk operations and in tests of a store. It is a value
/// with names and constants; it is validated when it is used, before a row is read. Rows are filtered, then sorted,
/// then selected by the offset and the limit.
///
/// ## Topics
///
/// ### Creating a request
///
/// - ``init(_:where:sort:limit:offset:)``
///
/// ### Selecting rows
///
/// - ``entity``
/// - ``condition``
/// - ``offset``
/// - ``limit``
///
/// ### Sorting rows
///
/// - ``sort``
/// - ``Sort``
///
/// ### Validating a request
///
/// - ``validate(in:)``
/// - ``resolved(in:)``
public struct StoreRequest: Sendable {
    /// One sort key of a request.
    public struct Sort: Sendable, Hashable {
        /// The criterion by which rows are sorted.
        public enum Criterion: Sendable, Hashable {
            /// The value of an attribute, a to-one relationship or `id`, or of a path to one of them: `boss.lastName`.
            ///
            /// A path may cross to-one relationships. If one of them is null or dangling, the value is null.
            case property(String)
            /// A value that is computed for each row, such as the length of a text.
            case value(FetchOperand)
        }

        /// The criterion by which rows are sorted.
        public var key: Criterion
        /// A Boolean value that indicates whether rows are sorted in descending order; null is then last.
        public var isDescending: Bool

        /// Creates a sort key.
        ///
        /// - Parameters:
        ///   - key: The criterion.
        ///   - descending: A Boolean value that indicates whether the order is descending (default: ascending).
        public init(key: Criterion, descending: Bool = false) {
            self.key = key
            isDescending = descending
        }

        /// Creates a sort key for a property, or for a path to one; see ``Criterion/property(_:)``.
        public init(_ property: String, descending: Bool = false) {
            self.init(key: .property(property), descending: descending)
        }
    }

    /// The name of the entity of the requested rows.
    public var entity: String
    /// The condition that the rows must satisfy; `nil` selects every row.
    public var condition: FetchCondition?
    /// The sort keys, most important first; rows with equal keys are sorted by identifier, ascending.
    public var sort: [Sort]
    /// The maximum count of rows that the request returns; `nil` if there is no limit.
    ///
    /// A limit of 0 selects no row. A negative limit is an invalid request. If a calculation in the condition fails for
    /// a row after the last selected one, the store may or may not report it.
    public var limit: Int?
    /// The count of selected rows that are skipped at the beginning.
    ///
    /// A negative offset is an invalid request. The skipped rows are still found and sorted.
    public var offset: Int

    /// Creates a request.
    ///
    /// The initializer checks nothing; ``validate(in:)`` and every use of the request do.
    ///
    /// - Parameters:
    ///   - entity: The name of the entity.
    ///   - condition: The condition that the rows must satisfy; `nil` selects every row.
    ///   - sort: The sort keys, most important first; an empty array sorts by identifier.
    ///   - limit: The maximum count of rows, at least 0; `nil` for no limit.
    ///   - offset: The count of rows to skip, at least 0.
    public init(
        _ entity: String, where condition: FetchCondition? = nil, sort: [Sort] = [], limit: Int? = nil, offset: Int = 0
    ) {
        self.entity = entity
        self.condition = condition
        self.sort = sort
        self.limit = limit
        self.offset = offset
    }
}

extension StoreRequest {
    /// Returns a copy of the request with the order of rows in files as its last sort key.
    ///
    /// That is the order of identifiers, unless the entity retains the order of its rows in files.
    package func inOrderOfFiles(_ entity: EntityDescription) -> StoreRequest {
        guard let position = entity.positionColumn else { return self }
        var request = self
        request.sort.append(Sort(entity.columns[position].name))
        return request
    }
}
