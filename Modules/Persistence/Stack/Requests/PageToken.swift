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
            guard let value = StoredValue(tokenText: part) else { throw Self.invalid("the text is not a page token") }
            return value
        }
    }

    static func invalid(_ reason: String) -> PersistenceError {
        PersistenceError(.invalidRequest, "page token: \(reason)")
    }

    /// The text form: letters, digits, `-` and `_`.
    public var description: String {
        let flags = (isBackward ? 1 : 0) + (includesPlace ? 2 : 0)
        let parts = [Self.version, "\(flags)", digest] + values.map(\.tokenText)
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
            text += "=\(value.tokenText)"
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

extension StoredValue {
    /// The exact value as a text: a letter for the type, followed by the value.
    fileprivate var tokenText: String {
        switch self {
        case .null: "n"
        case .boolean(let value): value ? "b1" : "b0"
        case .integer(let number): "i\(number)"
        case .double(let number): "r\(number.bitPattern)"
        case .decimal(let number): "c\(number.unscaled)/\(number.scale)"
        case .string(let text): "s\(text)"
        case .date(let date): "t\(date.timeIntervalSinceReferenceDate.bitPattern)"
        case .day(let day): "d\(day.daysSinceReferenceDay)"
        case .timeOfDay(let time): "o\(time.nanosecondsSinceMidnight)"
        case .uuid(let uuid): "u\(uuid.uuidString)"
        case .binary(let data): "x\(data.base64EncodedString())"
        }
    }

    fileprivate init?(tokenText: String) {
        // A text may begin with a scalar that forms one character with the letter.
        guard let letter = tokenText.unicodeScalars.first else { return nil }
        let text = String(String.UnicodeScalarView(tokenText.unicodeScalars.dropFirst()))
        let value: StoredValue? =
            switch letter {
            case "n": text.isEmpty ? .null : nil
            case "b": text == "1" ? .boolean(true) : text == "0" ? .boolean(false) : nil
            case "i": Int64(text).map(StoredValue.integer)
            case "r": Self.finite(text).map(StoredValue.double)
            case "c": Self.decimal(text)
            case "s": .string(text)
            case "t": Self.finite(text).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
            case "d": Int(text).flatMap(Day.init(daysSinceReferenceDay:)).map(StoredValue.day)
            case "o": Int64(text).flatMap(TimeOfDay.init(nanosecondsSinceMidnight:)).map(StoredValue.timeOfDay)
            case "u": UUID(uuidString: text).map(StoredValue.uuid)
            case "x": Data(base64Encoded: text).map(StoredValue.binary)
            default: nil
            }
        guard let value else { return nil }
        self = value
    }

    private static func finite(_ text: String) -> Double? {
        UInt64(text).map(Double.init(bitPattern:)).flatMap { $0.isFinite ? $0 : nil }
    }

    private static func decimal(_ text: String) -> StoredValue? {
        let parts = text.split(separator: "/")
        guard parts.count == 2, let unscaled = Int64(parts[0]), let scale = UInt8(parts[1]),
            scale <= ScaledDecimal.maximumScale
        else { return nil }
        return .decimal(ScaledDecimal(unscaled: unscaled, scale: scale))
    }
}
