import Dispatch
import StrataCore
import StrataSQL

/// The rows of one entity on their way through a stage's code: read in blocks, made by the code on the thread that called it, written in blocks.
///
/// Reading and writing take longer than most code does, so they go on beside it, on a queue. Where the code asks the store for something, it finds all rows written that
/// it has made, and from then on everything is done on its own thread: waiting for the queue at every row would take longer than the rows do.
///
/// SAFETY: what leads to the connection (`statement`, `source`, `insertion`), `isAtEnd` and the failures are used on the queue, or by the code's thread while nothing is on the
/// queue. Everything else belongs to the code's thread.
final class SQLiteStageRows: SQLStageRows, @unchecked Sendable {
    /// Rows that the code has made, and not all of them are written.
    private var made: [StoredRow] = []
    private var madeBytes = 0
    /// Whether the code has asked the store for something.
    private var isAlone = false

    private let queue = DispatchQueue(label: "strata.stage")
    private let columnCount: Int
    private let statement: SQLiteStatement
    private let source: SQLiteRowSource
    private let insertion: SQLiteStageInsertion
    /// Whether all rows are read.
    private var isAtEnd = false
    /// Why no more could be read: told when the rows before are through.
    private var readFailure: (any Error)?
    /// Why the rows of a block could not be written; nothing is written after it.
    private var failure: (any Error)?

    /// A block has so many rows; with less, waiting for one another takes a tenth of the time.
    private static let blockSize = 2_048
    /// It has less where they are long: no row is added to a block that has so many bytes.
    private static let blockBytes = 1 << 20

    /// - Parameters:
    ///   - entity: The earlier entity, of which all rows are read.
    ///   - layout: Its layout.
    ///   - insertion: Writes the later rows.
    ///   - connection: The connection that migrates.
    /// - Throws: ``PersistenceError``.
    init(
        _ entity: EntityDescription, _ layout: SQLLayout, into insertion: SQLiteStageInsertion,
        on connection: SQLiteConnection
    ) throws {
        columnCount = entity.columns.count
        self.insertion = insertion
        let request = try StoreRequest(entity.name).resolved(in: layout.model)
        var writer = SQLWriter(entity, layout)
        statement = try SQLiteStatement(writer.selection(request), on: connection)
        source = SQLiteRowSource(statement, connection.shape(of: entity), isAscending: request.isByIdentifier)
    }

    func run(_ body: (StoredRow) throws -> StoredRow?) throws {
        defer {
            // Whoever takes the transaction back has the connection alone.
            queue.sync {}
            source.forget()
            statement.finalize()
        }
        do { try make(body) } catch {
            // What went wrong with the rows before comes first, as if each had been written before the next was made.
            try settle()
            throw error
        }
        try settle()
    }

    private func make(_ body: (StoredRow) throws -> StoredRow?) throws {
        var ahead = readAhead()
        while case let rows = try ahead.rows(), !rows.isEmpty {
            let next = readAhead()
            for row in rows {
                let row = try body(row)
                // The code may have been told, and gone on.
                if isAlone, let failure { throw failure }
                guard let row else { continue }
                if isAlone { try insertion.write(row) } else { add(row) }
            }
            if !isAlone { writeMade() }
            ahead = next
        }
    }

    private func add(_ row: StoredRow) {
        made.append(row)
        madeBytes += row.byteCount
        guard madeBytes >= Self.blockBytes else { return }
        writeMade()
        // No second block of long values waits behind it.
        queue.sync {}
    }

    /// From then on nothing is done beside the code.
    func settle() throws {
        if !isAlone {
            writeMade()
            isAlone = true
            queue.sync {}
        }
        if let failure { throw failure }
    }

    // MARK: Beside the code

    /// The rows of a block, which are read or will be.
    ///
    /// SAFETY: set once, before the signal that whoever reads it waits for.
    private final class Block: @unchecked Sendable {
        private var result: Result<[StoredRow], any Error> = .success([])
        private let isRead = DispatchSemaphore(value: 0)

        func set(_ result: Result<[StoredRow], any Error>) {
            self.result = result
            isRead.signal()
        }

        func rows() throws -> [StoredRow] {
            isRead.wait()
            return try result.get()
        }
    }

    private func readAhead() -> Block {
        let block = Block()
        if isAlone {
            block.set(Result { try read() })
        } else {
            queue.async { [self] in
                block.set(Result { if let failure { throw failure } else { try read() } })
            }
        }
        return block
    }

    private func writeMade() {
        guard !made.isEmpty else { return }
        let rows = made
        (made, madeBytes) = ([], 0)
        made.reserveCapacity(Self.blockSize)
        queue.async { [self] in
            guard failure == nil else { return }
            do { try insertion.write(rows) } catch { failure = error }
        }
    }

    private func read() throws -> [StoredRow] {
        if let readFailure { throw readFailure }
        var rows: [StoredRow] = []
        rows.reserveCapacity(Self.blockSize)
        var bytes = 0
        do {
            while !isAtEnd, rows.count < Self.blockSize, bytes < Self.blockBytes {
                guard try statement.step() else {
                    // Another step would begin anew.
                    isAtEnd = true
                    break
                }
                let row = try readRow()
                bytes += row.byteCount
                rows.append(row)
            }
        } catch {
            readFailure = error
            if rows.isEmpty { throw error }
        }
        return rows
    }

    private func readRow() throws -> StoredRow {
        try source.load()
        var values: [StoredValue] = []
        values.reserveCapacity(columnCount)
        for index in 0..<columnCount { values.append(try source.value(at: index)) }
        return StoredRow(id: source.id, version: source.version, values: values)
    }
}
