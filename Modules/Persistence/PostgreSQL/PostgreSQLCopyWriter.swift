#if PostgreSQL
import StrataCore

/// A writer of rows in the binary form of COPY (postgresql.org/docs/15/sql-copy.html, "Binary Format").
///
/// Numbers have network byte order, and the length of each field precedes it. The writer sends the rows piece by piece,
/// so that the server works while the caller writes more rows.
struct PostgreSQLCopyWriter: ~Copyable {
    /// The signature, no flags, and no extension.
    private static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
    /// The minimum size of a sent piece, in bytes: some hundred rows in one system call.
    private static let pieceSize = 1 << 16

    private var buffer: UnsafeMutableRawBufferPointer
    private var count = 0
    private let send: (UnsafeRawBufferPointer) throws -> Void

    /// Creates a writer whose pieces `send` sends.
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

    /// Writes the end marker and sends the rest.
    mutating func end() throws {
        appendNumber(Int16(-1))
        try flush()
    }

    mutating func appendNull() { appendNumber(Int32(-1)) }

    /// Appends a field with the 64 bits of an integer or a double.
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

    /// Makes room for a count of bytes; the buffer always contains whole rows only.
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
