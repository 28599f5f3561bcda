/// Which rows of one entity a store is asked for, and in which order.
public struct StoreRequest: Sendable {
    /// One sort key.
    public struct Sort: Sendable, Hashable {
        /// What rows are sorted by.
        public enum Criterion: Sendable, Hashable {
            /// The attribute, to-one relationship, or `id`; or a path to one across to-one relationships: `boss.lastName`.
            ///
            /// A path that leads nowhere is null.
            case property(String)
            /// A value that is found for each row, as the length of a text.
            case value(FetchOperand)
        }

        /// What rows are sorted by.
        public var key: Criterion
        /// Whether the greatest comes first; null is then last.
        public var isDescending: Bool

        /// A sort key.
        public init(key: Criterion, descending: Bool = false) {
            self.key = key
            isDescending = descending
        }

        /// Sorts by a property, or by a path to one; see ``Criterion/property(_:)``.
        public init(_ property: String, descending: Bool = false) {
            self.init(key: .property(property), descending: descending)
        }
    }

    /// The entity's name.
    public var entity: String
    /// What the rows must fulfil; `nil` selects every row.
    public var condition: FetchCondition?
    /// The sort keys, most important first; what they leave equal is sorted by identifier, ascending.
    public var sort: [Sort]
    /// The most rows to give; `nil` is no limit.
    public var limit: Int?
    /// How many of the first rows to leave out.
    public var offset: Int

    /// A request.
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
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` that names what is wrong.
    @discardableResult
    public func validate(in model: ManagedObjectModel) throws -> EntityDescription {
        try resolved(in: model).entity
    }
}

extension StoreRequest {
    /// Returns the request with the order of files for the rows that its sort keys leave equal.
    ///
    /// That is the order of identifiers, unless the entity keeps the order of files.
    package func inOrderOfFiles(_ entity: EntityDescription) -> StoreRequest {
        guard let position = entity.positionColumn else { return self }
        var request = self
        request.sort.append(Sort(entity.columns[position].name))
        return request
    }
}
