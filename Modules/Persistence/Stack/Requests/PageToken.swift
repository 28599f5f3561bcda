import Foundation
import StrataCore

/// The place in an ordered list of records at which a page begins or ends.
///
/// A token is opaque: ``RecordContext/page(_:size:after:)`` returns it and accepts it. Its text form, ``description``,
/// is suitable for a URL. It contains the sort values of one record, so encrypt it if these are secret.
///
/// A token belongs to one request: with another entity, filter or order, or with other values in the filter, the page
/// is rejected with an error of code ``PersistenceError/Code/invalidRequest``. A token does not expire, and remains
/// valid if its record is changed or deleted.
///
/// ## Topics
///
/// ### Converting
///
/// - ``init(_:)``
/// - ``description``
public struct PageToken: Sendable, Hashable, CustomStringConvertible {
    /// The version of the text form.
    private static let version = "1"

    /// A hash of the entity, the filter and the sort keys of the request.
    let digest: String
    /// A Boolean value that indicates whether the page ends at the place, instead of beginning there.
    let isBackward: Bool
    /// A Boolean value that indicates whether the record at the place belongs to the page.
    let includesPlace: Bool
    /// The values of the sort keys and the identifier of the record at the place.
    let values: [StoredValue]

    init(digest: String, isBackward: Bool, includesPlace: Bool = false, values: [StoredValue]) {
        (self.digest, self.isBackward, self.includesPlace, self.values) = (digest, isBackward, includesPlace, values)
    }

    /// Creates a token from its text form, which may come from an untrusted client.
    ///
    /// - Throws: ``PersistenceError`` with code ``PersistenceError/Code/invalidRequest`` if the text is no token.
    public init(_ description: String) throws {
        var base64 = description.replacing("-", with: "+").replacing("_", with: "/")
        base64 += String(repeating: "=", count: (4 - base64.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: base64), let parts = try? JSONDecoder().decode([String].self, from: data),
            parts.count >= 4, parts[0] == Self.version, let flags = Int(parts[1]), 0...3 ~= flags
        else { throw Self.invalid("the text is not a page token") }
        digest = parts[2]
        isBackward = flags & 1 != 0
        includesPlace = flags & 2 != 0
        values = try parts[3...].map { part in
            guard let value = StoredValue(exactText: part) else { throw Self.invalid("the text is not a page token") }
            return value
        }
    }

    static func invalid(_ reason: String) -> PersistenceError {
        PersistenceError(.invalidRequest, "page token: \(reason)")
    }

    /// The text form: letters, digits, `-` and `_`.
    public var description: String {
        let flags = (isBackward ? 1 : 0) + (includesPlace ? 2 : 0)
        let parts = [Self.version, "\(flags)", digest] + values.map(\.exactText)
        // An array of strings can always be encoded.
        let data = (try? JSONEncoder().encode(parts)) ?? Data()
        return data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the digest of a request.
    static func digest(of request: StoreRequest) -> String {
        var text = request.entity
        append(request.condition as Any, to: &text)
        append(request.sort, to: &text)
        return String(StableHash.fnv1a(text.utf8), radix: 16)
    }

    /// Appends the structure of a condition or sort key to a text, with the exact values of its constants.
    private static func append(_ part: Any, to text: inout String) {
        if let value = part as? StoredValue {
            text += "=\(value.exactText)"
            return
        }
        let mirror = Mirror(reflecting: part)
        text += "(\(mirror.subjectType)"
        if mirror.children.isEmpty { text += ":\(part)" }
        for child in mirror.children {
            text += ",\(child.label ?? "")"
            append(child.value, to: &text)
        }
        text += ")"
    }
}

extension PageToken: Codable {
    /// Decodes the text form.
    ///
    /// - Throws: `DecodingError.dataCorrupted` if the text is no token.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        do { try self.init(try container.decode(String.self)) } catch let error as PersistenceError {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: error.message)
        }
    }

    /// Encodes the text form.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
