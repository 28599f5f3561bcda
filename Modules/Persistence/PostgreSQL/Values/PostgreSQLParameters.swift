#if PostgreSQL
import CStrataPostgreSQL
import StrataCore

/// The parameter values of a statement in the form that libpq requires; the next statement reuses their memory.
struct PostgreSQLParameters {
    /// The types of the values, by their object identifiers in `pg_type`.
    private(set) var kinds: [UInt32] = []
    private var bytes: [UInt8] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []
    private var addresses: [UnsafePointer<CChar>?] = []

    /// The maximum size of the buffer, in bytes, up to which the next statement reuses it.
    private static let keptByteCount = 1 << 16

    /// A closure that receives the arguments of a libpq function.
    ///
    /// The arguments are the count of values, and for each value its address (null for SQL null), its length, and its
    /// format, which is always binary.
    typealias Call<Result> = (
        Int32, UnsafePointer<UnsafePointer<CChar>?>, UnsafePointer<Int32>, UnsafePointer<Int32>
    ) -> Result

    /// The maximum count of parameter values that the protocol allows (postgresql.org/docs/15/limits.html).
    private static let mostValues = 65_535

    /// Stores the parameter values of the next statement.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if there are too many values,
    ///   or if a value is longer than the protocol allows.
    mutating func take(_ values: [StoredValue]) throws {
        guard values.count <= Self.mostValues else {
            throw PersistenceError(
                .invalidRequest,
                "a statement has \(values.count) values, but a server accepts at most \(Self.mostValues); request "
                    + "fewer values at a time"
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
                    .invalidRequest,
                    "a value has \(bytes.count - offset) bytes, but a server accepts less than 2147483648")
            }
            lengths.append(length)
        }
        // An empty buffer may have no address, which libpq treats as null.
        bytes.append(0)
        while formats.count < values.count { formats.append(1) }
    }

    /// Passes the arguments of a libpq function to `body`; their addresses are valid only during the call.
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
