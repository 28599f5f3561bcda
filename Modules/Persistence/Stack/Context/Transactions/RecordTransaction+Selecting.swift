import StrataCore
import StrataStoreKit

/// The selection of values, groups and aggregates in a unit of work.
extension RecordTransaction {
    /// `nil`, because a test double of records has no model.
    public var recordModel: ManagedObjectModel? { nil }

    /// Returns the records that ``fetch(_:)`` returns.
    public func records<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [Record] {
        try fetch(request)
    }

    /// Returns the values of each result of a selection, evaluated from the fetched records.
    ///
    /// The default implementation calls ``fetch(_:)``, so that all records must fit in memory, as in a test double. It
    /// cannot follow relationships.
    ///
    /// - Throws: The errors of ``fetch(_:)``, and an error with code ``PersistenceError/Code/invalidRequest`` if the
    ///   selection follows a relationship.
    public func values<Record: ManagedRecord>(
        _ selection: StoreSelection, of entity: RecordEntity<Record>
    ) throws -> [[StoredValue]] {
        let resolved = try selection.resolved(of: entity.description)
        var evaluation = try SelectionEvaluation(resolved, relatives: nil)
        let rows = selection.evaluatedRows
        let request = FetchRequest(
            entity, rows.condition.map(RecordFilter.condition), sort: rows.sort.map(SortKey.init), limit: rows.limit,
            offset: rows.offset)
        let result = try resolved.resultTerms()
        var results: [[StoredValue]] = []
        for record in try fetch(request) {
            let row = try entity.row(of: record)
            if let values = try evaluation.add(row.id, row.values) { results.append(values) }
        }
        return try (results + evaluation.groups()).map(result)
    }

    /// Returns the identifiers and versions of the records that ``versioned(_:)`` returns.
    public func versions<Record: ManagedRecord>(_ request: FetchRequest<Record>) throws -> [RecordVersion<Record>] {
        try versioned(request).map { RecordVersion(id: $0.record.id, version: $0.version) }
    }

    /// Returns the references between objects, level by level.
    ///
    /// The default implementation needs one selection for each level, or for a many-to-many relationship one call of
    /// ``related(_:of:id:)-(ToMany<Source,Destination>,_,_)`` for each object.
    public func edges<Record: ManagedRecord>(
        from ids: [Record.ID], through relationship: ToMany<Record, Record>, of entity: RecordEntity<Record>,
        isUpward: Bool
    ) throws -> [TreeEdge] {
        try TreeEdge.edges(from: ids.map(\.rawValue), isUpward: isUpward) { level in
            if let inverse = relationship.description.inverse, entity.description.columnIndex(inverse) != nil {
                return try values(
                    .edges(entity.name, parent: inverse, level: level, isUpward: isUpward), of: entity
                ).compactMap(TreeEdge.init)
            }
            guard !isUpward else {
                throw PersistenceError(
                    .invalidRequest, "\(Self.self) cannot find the parents of a many-to-many relationship",
                    entity: entity.name, attribute: relationship.name)
            }
            return try level.compactMap(Record.ID.init(rawValue:)).flatMap { parent in
                try related(relationship, of: entity, id: parent).map {
                    TreeEdge(child: $0.id.rawValue, parent: parent.rawValue)
                }
            }
        }
    }
}
