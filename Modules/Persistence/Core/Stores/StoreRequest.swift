/// A request for rows of one entity: a condition, sort keys, an offset and a limit.
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
    public var limit: Int?
    /// The count of selected rows that are skipped at the beginning.
    public var offset: Int

    /// Creates a request.
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
