#if PostgreSQL
import Foundation
import StrataCore

/// A value in PostgreSQL's protocol: its type and its binary form, in which numbers have network byte order.
///
/// For the types and their forms, see postgresql.org/docs/15/protocol-overview.html#PROTOCOL-FORMAT-CODES and the
/// server's `send` and `recv` functions.
struct PostgreSQLValue {
    /// The types that stores use, by their object identifiers in `pg_type`.
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
    /// The binary form; `nil` for null.
    let bytes: [UInt8]?

    init(_ value: StoredValue) {
        var bytes: [UInt8] = []
        kind = Self.append(value, to: &bytes)
        self.bytes = kind == .unknown ? nil : bytes
    }

    /// Appends the binary form of a value to `bytes` and returns the value's type; null has no bytes and the type
    /// ``Kind/unknown``.
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

/// A field of a result row in its binary form, which is valid as long as the query result exists.
struct PostgreSQLField {
    /// The bytes of the field; `nil` for null.
    let bytes: UnsafeRawBufferPointer?

    /// The field as an integer of 16, 32 or 64 bits; `nil` if the field is null or has another size.
    var integer: Int64? {
        guard let bytes else { return nil }
        return switch bytes.count {
        case 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        default: nil
        }
    }

    /// The field as a floating-point number of 64 bits; `nil` if the field is null or has another size.
    var double: Double? {
        guard let bytes, bytes.count == 8 else { return nil }
        return Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
    }

    /// The field as a Boolean value; `nil` if the field is null or has another size.
    var boolean: Bool? {
        guard let bytes, bytes.count == 1 else { return nil }
        return bytes[0] != 0
    }

    /// The field as a text; `nil` if the field is null or invalid UTF-8.
    ///
    /// A zero byte follows every value of a result, and no text contains one (postgresql.org/docs/15/libpq-exec.html,
    /// `PQgetvalue`).
    var text: String? {
        guard let address = bytes?.baseAddress else { return nil }
        return String(validatingCString: address.assumingMemoryBound(to: CChar.self))
    }

    /// Returns the field as a value of an attribute type, or `nil` if the field contains no value of that type.
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
