#if PostgreSQL
import StrataCore

/// Writes rows in COPY's binary form (postgresql.org/docs/15/sql-copy.html, "Binary Format"): numbers in network order, each field behind its length.
///
/// What is written is sent piece by piece, so that the server works while more is written.
struct PostgreSQLCopyWriter: ~Copyable {
    /// The signature, no flags, and no extension.
    private static let header = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
    /// A piece that is sent has at least so many bytes: some hundred rows, in one call to the system.
    private static let pieceSize = 1 << 16

    private var buffer: UnsafeMutableRawBufferPointer
    private var count = 0
    private let send: (UnsafeRawBufferPointer) throws -> Void

    /// A writer whose pieces are sent by `send`.
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

    /// Ends the rows.
    mutating func end() throws {
        appendNumber(Int16(-1))
        try flush()
    }

    mutating func appendNull() { appendNumber(Int32(-1)) }

    /// The 64 bits of a whole number, or of a double.
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

    /// Makes room for so many bytes more; a row is whole in the buffer.
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
