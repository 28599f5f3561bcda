import StrataCore

/// The rows of one entity in a stage: read one by one, changed by the stage's code, and written in blocks.
final class SQLStageRows<Connection: SQLStageConnection> {
    /// The most rows of a block.
    private static var blockSize: Int { 2_048 }
    /// The bytes from which on a block gets no more rows.
    private static var blockBytes: Int { 1 << 20 }

    private let entity: EntityDescription
    private let layout: SQLLayout
    private let connection: Connection
    private let insertion: Connection.Insertion
    /// Rows that the code has made, and that are not written yet.
    private var made: [StoredRow] = []
    private var madeBytes = 0
    /// The first error of a write: the code may ignore it, and the stage fails nevertheless.
    private var failure: (any Error)?

    init(
        _ entity: EntityDescription, _ layout: SQLLayout, into insertion: Connection.Insertion,
        on connection: Connection
    ) {
        (self.entity, self.layout, self.insertion, self.connection) = (entity, layout, insertion, connection)
    }

    /// Gives all rows to `body`, which makes later ones of them.
    ///
    /// - Parameter body: Makes a row; `nil` drops it.
    /// - Throws: What `body` throws, or ``PersistenceError``.
    func run(_ body: (StoredRow) throws -> StoredRow?) throws {
        do {
            let request = try StoreRequest(entity.name).resolved(in: layout.model)
            try connection.fetch(request, in: layout) { row in
                if let row = try body(try row.stored(entity)) { try add(row) }
                return .next
            }
        } catch {
            // An error of an earlier row comes first, as if each had been written before the next was made.
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

    /// Writes the rows that the code has made.
    ///
    /// - Throws: Why a row cannot be written.
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
