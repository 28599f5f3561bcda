#if PostgreSQL
import CStrataPostgreSQL
import StrataCore

/// The values of a statement's parameters as libpq takes them, in memory that is used for the next statement again.
struct PostgreSQLParameters {
    /// The types, by their numbers in `pg_type`.
    private(set) var kinds: [UInt32] = []
    private var bytes: [UInt8] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var addresses: [UnsafePointer<CChar>?] = []

    /// More bytes are not kept for the next statement.
    private static let keptByteCount = 1 << 16

    /// What libpq gets: how many there are, and of each where it is, null for null, how long it is, and that it is binary.
    typealias Call<Result> = (
        Int32, UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>
    ) -> Result

    /// The protocol counts no more (postgresql.org/docs/15/limits.html).
    private static let mostValues = 65_535

    /// Takes the values of the next statement.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` for more values, and for one whose length the protocol cannot say.
    mutating func take(_ values: [StoredValue]) throws {
        guard values.count <= Self.mostValues else {
            throw PersistenceError(
                .invalidRequest,
                "a statement has \(values.count) values, and a server takes \(Self.mostValues); ask for fewer at a time"
            )
        }
        bytes.removeAll(keepingCapacity: bytes.count <= Self.keptByteCount)
        kinds.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        for value in values {
            let offset = bytes.count
            kinds.append(PostgreSQLValue.append(value, to: &bytes).rawValue)
            guard let length = Int32(exactly: bytes.count - offset) else {
                throw PersistenceError(
                    .invalidRequest, "a value has \(bytes.count - offset) bytes; a server takes less than 2147483648")
            }
            lengths.append(length)
        }
        // An empty buffer may have no address, and libpq takes none for null.
        bytes.append(0)
        while formats.count < values.count { formats.append(1) }
    }

    /// Lends the values for the time of a call.
    mutating func withArguments<Result>(_ body: Call<Result>) -> Result {
        bytes.withUnsafeBytes { bytes in
            addresses.removeAll(keepingCapacity: true)
            var offset = 0
            for (kind, length) in zip(kinds, lengths) {
                let isNull = kind == PostgreSQLValue.Kind.unknown.rawValue
                let address = bytes.baseAddress?.advanced(by: offset).assumingMemoryBound(to: CChar.self)
                addresses.append(isNull ? nil : address)
                offset += Int(length)
            }
            return body(Int32(kinds.count), addresses, lengths, formats)
        }
    }
}
#endif
