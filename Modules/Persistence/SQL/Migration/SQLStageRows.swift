import StrataCore
import StrataStoreKit

/// The rows of one entity in a migration stage: each row is read, changed by the user code, and written as part of a
/// block.
final class SQLStageRows<Connection: SQLStageConnection> {
    /// The maximum count of rows in a block.
    private static var blockSize: Int { 2_048 }
    /// The size in bytes from which a block is written.
    private static var blockBytes: Int { 1 << 20 }

    private let entity: EntityDescription
    private let layout: SQLLayout
    private let connection: Connection
    private let insertion: Connection.Insertion
    /// The rows that the user code has created and that are not written yet.
    private var made: [StoredRow] = []
    private var madeBytes = 0
    /// The first error of writing rows; it ends the stage even if the user code ignores it.
    private var failure: (any Error)?

    init(
        _ entity: EntityDescription, _ layout: SQLLayout, into insertion: Connection.Insertion,
        on connection: Connection
    ) {
        (self.entity, self.layout, self.insertion, self.connection) = (entity, layout, insertion, connection)
    }

    /// Passes all old rows to `body` and writes the rows that `body` returns.
    ///
    /// - Parameter body: A closure that returns the new row for an old row, or `nil` to drop the row.
    /// - Throws: The errors of `body`, or ``PersistenceError`` if a row cannot be read or written.
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

    /// Writes the rows that the user code has created and that are not written yet.
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
