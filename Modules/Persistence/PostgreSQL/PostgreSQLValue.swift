#if PostgreSQL
import Foundation
import StrataCore

/// A value as PostgreSQL's protocol takes it: its type and its binary form, numbers in network order.
///
/// Types and forms: postgresql.org/docs/15/protocol-overview.html#PROTOCOL-FORMAT-CODES, and the `send` and `recv` functions of the types.
struct PostgreSQLValue {
    /// The types that are used, by their numbers in `pg_type`.
    enum Kind: UInt32 {
        case unknown = 0
        case boolean = 16
        case bytes = 17
        case integer = 20
        case text = 25
        case real = 701
        case uuid = 2950
    }

    let kind: Kind
    /// `nil` for null.
    let bytes: [UInt8]?

    init(_ value: StoredValue) {
        var bytes: [UInt8] = []
        kind = Self.append(value, to: &bytes)
        self.bytes = kind == .unknown ? nil : bytes
    }

    /// Appends the binary form of a value, of null nothing, and says what it is: ``Kind/unknown`` for null.
    static func append(_ value: StoredValue, to bytes: inout [UInt8]) -> Kind {
        switch value {
        case .boolean(let truth):
            bytes.append(truth ? 1 : 0)
            return .boolean
        case .uuid(let uuid):
            withUnsafeBytes(of: uuid.uuid) { bytes.append(contentsOf: $0) }
            return .uuid
        default: break
        }
        switch value.stored {
        case .null: return .unknown
        case .integer(let number):
            withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
            return .integer
        case .real(let number):
            withUnsafeBytes(of: number.bitPattern.bigEndian) { bytes.append(contentsOf: $0) }
            return .real
        case .text(let text):
            bytes.append(contentsOf: text.utf8)
            return .text
        case .blob(let data):
            bytes.append(contentsOf: data)
            return .bytes
        }
    }
}

/// One field of a result in its binary form; valid as long as the result.
struct PostgreSQLField {
    /// `nil` for null.
    let bytes: UnsafeRawBufferPointer?

    /// A whole number of 16, 32 or 64 bits; `nil` for null and for what is none.
    var integer: Int64? {
        guard let bytes else { return nil }
        return switch bytes.count {
        case 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        default: nil
        }
    }

    /// A floating-point number of 64 bits; `nil` for null and for what is none.
    var double: Double? {
        guard let bytes, bytes.count == 8 else { return nil }
        return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    /// A truth value; `nil` for null and for what is none.
    var boolean: Bool? {
        guard let bytes, bytes.count == 1 else { return nil }
        return bytes[0] != 0
    }

    /// A text; `nil` for null and for what is no UTF-8.
    ///
    /// A zero byte, which no text has within, is behind every value of a result (postgresql.org/docs/15/libpq-exec.html, `PQgetvalue`).
    var text: String? {
        guard let address = bytes?.baseAddress else { return nil }
        return String(validatingCString: address.assumingMemoryBound(to: CChar.self))
    }

    /// The value of a column of a type; `nil` for what is none of it.
    func value(of type: AttributeType) -> StoredValue? {
        guard let bytes else { return .null }
        switch type {
        case .boolean: return boolean.map(StoredValue.boolean)
        case .uuid:
            guard bytes.count == 16 else { return nil }
            return .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)))
        case .string: return text.map(StoredValue.string)
        default: break
        }
        switch type.storage {
        case .integer: return integer.flatMap { type.coding.value(.integer($0)) }
        case .real: return double.flatMap { type.coding.value(.real($0)) }
        case .text: return type.coding.value(.text(bytes.bindMemory(to: UInt8.self)))
        case .blob: return type.coding.value(.blob(bytes))
        }
    }
}
#endif
