#if PostgreSQL
import StrataCore

/// A writer of rows in the binary format of COPY (postgresql.org/docs/15/sql-copy.html, "Binary Format").
///
/// Numbers are in network byte order, and the length of each field precedes the field. The writer sends the rows in
/// pieces, so that the server inserts rows while the caller writes more rows.
struct PostgreSQLCopyWriter: ~Copyable {
    /// The header of the format: its signature, no flags, and no extension.
    private static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
    /// The minimum size of a piece in bytes; a piece contains some hundred rows and needs one system call.
    private static let pieceSize = 1 << 16

    private var buffer: UnsafeMutableRawBufferPointer
    private var count = 0
    private let send: (UnsafeRawBufferPointer) throws -> Void

    /// Creates a writer that passes each complete piece to `send`.
    init(_ send: @escaping (UnsafeRawBufferPointer) throws -> Void) {
        self.send = send
        buffer = .allocate(byteCount: 2 * Self.pieceSize, alignment: 1)
        Self.header.withUnsafeBytes { appendBytes($0) }
    }

    deinit { buffer.deallocate() }

    mutating func beginRow(fieldCount: Int) throws {
        if count >= Self.pieceSize { try flush() }
        appendNumber(Int16(fieldCount))
    }

    /// Writes the end marker of the format and sends the last piece.
    mutating func end() throws {
        appendNumber(Int16(-1))
        try flush()
    }

    mutating func appendNull() { appendNumber(Int32(-1)) }

    /// Appends a field that contains the 64 bits of an integer or a double.
    mutating func append(_ bits: Int64) {
        appendNumber(Int32(8))
        appendNumber(bits)
    }

    mutating func append(_ truth: Bool) {
        appendNumber(Int32(1))
        appendNumber(UInt8(truth ? 1 : 0))
    }

    mutating func append(_ text: UnsafeRawBufferPointer) {
        appendNumber(Int32(text.count))
        appendBytes(text)
    }

    mutating func append(_ value: StoredValue) {
        guard let field = PostgreSQLValue(value).bytes else { return appendNull() }
        field.withUnsafeBytes { append($0) }
    }

    private mutating func appendNumber(_ number: some FixedWidthInteger) {
        let size = number.bitWidth / 8
        reserve(size)
        buffer.storeBytes(of: number.bigEndian, toByteOffset: count, as: type(of: number))
        count += size
    }

    private mutating func appendBytes(_ bytes: UnsafeRawBufferPointer) {
        guard !bytes.isEmpty else { return }
        reserve(bytes.count)
        UnsafeMutableRawBufferPointer(rebasing: buffer[count...]).copyMemory(from: bytes)
        count += bytes.count
    }

    /// Makes room in the buffer for a count of bytes; if the buffer is full, first sends its rows.
    private mutating func reserve(_ size: Int) {
        guard buffer.count - count < size else { return }
        let larger = UnsafeMutableRawBufferPointer.allocate(byteCount: 2 * (count + size), alignment: 1)
        larger.copyMemory(from: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        buffer.deallocate()
        buffer = larger
    }

    private mutating func flush() throws {
        try send(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        count = 0
    }
}
#endif
