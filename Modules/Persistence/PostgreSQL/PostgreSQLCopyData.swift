#if PostgreSQL
import StrataCore

/// Rows in COPY's binary form (postgresql.org/docs/15/sql-copy.html, "Binary Format"): numbers in network order, each field behind its length.
struct PostgreSQLCopyData {
    /// Begins with the signature, no flags, and no extension.
    private(set) var bytes = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)

    mutating func beginRow(fieldCount: Int) { appendNumber(Int16(fieldCount)) }

    /// Ends the rows.
    mutating func end() { appendNumber(Int16(-1)) }

    mutating func appendNull() { appendNumber(Int32(-1)) }

    /// The 64 bits of a whole number, or of a double.
    mutating func append(_ bits: Int64) {
        appendNumber(Int32(8))
        appendNumber(bits)
    }

    mutating func append(_ truth: Bool) {
        appendNumber(Int32(1))
        bytes.append(truth ? 1 : 0)
    }

    mutating func append(_ text: ArraySlice<UInt8>) {
        appendNumber(Int32(text.count))
        bytes += text
    }

    mutating func append(_ value: StoredValue) {
        guard let field = PostgreSQLValue(value).bytes else { return appendNull() }
        append(field[...])
    }

    private mutating func appendNumber(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }
}
#endif
