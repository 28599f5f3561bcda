import StrataCore
import StrataStoreKit

/// A reader of the rows in a store transaction, which also evaluates conditions across relationships.
struct BatchReader {
    /// The maximum number of identifiers in one request to the store.
    static let chunkSize = 1_000

    let transaction: any StoreTransaction
    let model: ManagedObjectModel

    /// Returns the rows that a request selects, all of which are in memory at once.
    ///
    /// - Throws: `CancellationError` if the current task is canceled.
    func rows(_ request: StoreRequest) throws -> [StoredRow] {
        let entity = try model.entity(named: request.entity)
        var rows: [StoredRow] = []
        var reading = CancellableReading()
        try transaction.fetch(request) { row in
            try reading.next()
            rows.append(try row.stored(entity))
            return .next
        }
        return rows
    }

    /// Returns the identifiers and versions of the rows that a request selects, without the other columns.
    func versions(_ request: StoreRequest) throws -> [(id: Int64, version: Int64)] {
        var rows: [(id: Int64, version: Int64)] = []
        var reading = CancellableReading()
        try transaction.fetch(request) { row in
            try reading.next()
            rows.append((row.rawID, row.version))
            return .next
        }
        return rows
    }

    /// Returns the condition that a column, or the identifier, equals one of the given numbers.
    static func isOne(_ column: String, of ids: some Sequence<Int64>) -> FetchCondition {
        .isIn(.property(column), ids.map(StoredValue.integer))
    }

    /// Splits identifiers into chunks of at most ``chunkSize``.
    static func chunks(_ ids: [Int64]) -> [ArraySlice<Int64>] {
        stride(from: 0, to: ids.count, by: chunkSize).map { ids[$0..<min($0 + chunkSize, ids.count)] }
    }
}

extension BatchReader: RelationshipReader {
    func objects(_ request: StoreRequest) throws -> [StoredRow] { try rows(request) }

    func objects(withIDs ids: [Int64], of entity: String) throws -> [StoredRow] {
        try rows(StoreRequest(entity, where: Self.isOne("id", of: ids)))
    }

    func joins(_ request: JoinRequest) throws -> [JoinRow] { try transaction.joins(request) }
}

extension BatchReader: RelatedRows {
    func rows(
        of entity: EntityDescription, where condition: ResolvedCondition?
    ) throws -> [(id: Int64, values: [StoredValue])] {
        try rows(StoreRequest(entity.name, where: condition?.source)).map { ($0.id, $0.values) }
    }

    func joins(of join: JoinDescription) throws -> [JoinRow] {
        let rows = try transaction.joins(JoinRequest(join.name))
        return join.isSymmetric ? Array(Set(rows.map { join.kept($0) })) : rows
    }
}
