/// A request for rows of one entity in an order.
public struct StoreRequest: Sendable {
    /// One sort key.
    public struct Sort: Sendable, Hashable {
        /// The criterion by which rows are sorted.
        public enum Criterion: Sendable, Hashable {
            /// An attribute, a to-one relationship or `id`; or a path to one: `boss.lastName`.
            ///
            /// A path may cross to-one relationships. A path through a null or dangling reference is null.
            case property(String)
            /// A value that is computed for each row, such as the length of a text.
            case value(FetchOperand)
        }

        /// The criterion by which rows are sorted.
        public var key: Criterion
        /// A Boolean value that indicates whether the greatest value comes first; null is then last.
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

    /// The entity's name.
    public var entity: String
    /// The condition that the rows must satisfy; `nil` selects every row.
    public var condition: FetchCondition?
    /// The sort keys, most important first; rows with equal keys are sorted by identifier, ascending.
    public var sort: [Sort]
    /// The maximum count of rows; `nil` is no limit.
    public var limit: Int?
    /// The count of rows to skip at the beginning.
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

    /// Checks names, kinds, nesting, limit and offset against a model.
    ///
    /// - Returns: The entity.
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that names the fault.
    @discardableResult
    public func validate(in model: ManagedObjectModel) throws -> EntityDescription {
        try resolved(in: model).entity
    }
}

extension StoreRequest {
    /// Returns the request with the file order as its last sort key.
    ///
    /// The file order is the order of identifiers, unless the entity keeps the order of files.
    package func inOrderOfFiles(_ entity: EntityDescription) -> StoreRequest {
        guard let position = entity.positionColumn else { return self }
        var request = self
        request.sort.append(Sort(entity.columns[position].name))
        return request
    }
}
