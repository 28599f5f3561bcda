import StrataCore

/// The rows of one entity in a stage, which are read one by one, changed by the stage's code, and written in blocks.
final class SQLStageRows<Connection: SQLStageConnection> {
    /// The maximum count of rows in a block.
    private static var blockSize: Int { 2_048 }
    /// The size in bytes at which a block is complete.
    private static var blockBytes: Int { 1 << 20 }

    private let entity: EntityDescription
    private let layout: SQLLayout
    private let connection: Connection
    private let insertion: Connection.Insertion
    /// The rows that the code has created and that are not written yet.
    private var made: [StoredRow] = []
    private var madeBytes = 0
    /// The first error of a write, because of which the stage fails even if the code ignores the error.
    private var failure: (any Error)?

    init(
        _ entity: EntityDescription, _ layout: SQLLayout, into insertion: Connection.Insertion,
        on connection: Connection
    ) {
        (self.entity, self.layout, self.insertion, self.connection) = (entity, layout, insertion, connection)
    }

    /// Passes all rows to `body`, which creates new rows from them.
    ///
    /// - Parameter body: Returns a new row, or `nil` to drop the row.
    /// - Throws: The errors of `body`, or ``PersistenceError``.
    func run(_ body: (StoredRow) throws -> StoredRow?) throws {
        do {
            let request = try StoreRequest(entity.name).resolved(in: layout.model)
            try connection.fetch(request, in: layout) { row in
                if let row = try body(try row.stored(entity)) { try add(row) }
                return .next
            }
        } catch {
            // An error of an earlier row has priority, as if each row had been written before the next one was created.
            try settle()
            throw error
        }
        try settle()
    }

    private func add(_ row: StoredRow) throws {
        made.append(row)
        madeBytes += row.byteCount
        if made.count >= Self.blockSize || madeBytes >= Self.blockBytes { try settle() }
    }

    /// Writes the rows that the code has created.
    ///
    /// - Throws: The error of the first row that cannot be written.
    func settle() throws {
        if let failure { throw failure }
        let rows = made
        (made, madeBytes) = ([], 0)
        do { try insertion.write(rows) } catch {
            failure = error
            throw error
        }
    }
}
