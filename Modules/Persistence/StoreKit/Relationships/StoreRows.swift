package import StrataCore

/// A source of the rows and join rows of a store, a snapshot or a transaction.
package struct StoreRows: RelationshipReader {
    private let reader: any StoreReader

    /// Creates a reader of a store, a snapshot or a transaction.
    package init(_ reader: any StoreReader) {
        self.reader = reader
    }

    package func objects(_ request: StoreRequest) throws -> [StoredRow] { try reader.rows(request) }

    package func objects(withIDs ids: [Int64], of entity: String) throws -> [StoredRow] {
        try reader.rows(StoreRequest(entity, where: .isIn(.property("id"), ids.map(StoredValue.integer))))
    }

    package func joins(_ request: JoinRequest) throws -> [JoinRow] { try reader.joins(request) }
}
