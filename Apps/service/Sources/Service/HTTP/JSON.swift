import Foundation

/// A JSON value with exact numbers.
enum JSON: Sendable, Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case decimal(Decimal)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    /// The members of an object, or `nil` if the value is no object.
    var members: [String: JSON]? { if case .object(let members) = self { members } else { nil } }

    /// The text of the value, with sorted keys.
    var text: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }
}

extension JSON: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let text = try? container.decode(String.self) {
            self = .string(text)
        } else if let number = try? container.decode(Decimal.self) {
            // Foundation decodes fractions of large numbers as whole numbers, so that the decimal is decoded first.
            self = Int64(number.description).map(JSON.integer) ?? .decimal(number)
        } else if let isTrue = try? container.decode(Bool.self) {
            self = .boolean(isTrue)
        } else if let values = try? container.decode([JSON].self) {
            self = .array(values)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .boolean(let isTrue): try container.encode(isTrue)
        case .integer(let number): try container.encode(number)
        case .decimal(let number): try container.encode(number)
        case .string(let text): try container.encode(text)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral, ExpressibleByBooleanLiteral,
    ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral, ExpressibleByNilLiteral
{
    init(stringLiteral value: String) { self = .string(value) }
    init(integerLiteral value: Int64) { self = .integer(value) }
    init(booleanLiteral value: Bool) { self = .boolean(value) }
    init(arrayLiteral elements: JSON...) { self = .array(elements) }
    init(dictionaryLiteral elements: (String, JSON)...) {
        self = .object(Dictionary(elements, uniquingKeysWith: { first, _ in first }))
    }
    init(nilLiteral: ()) { self = .null }
}
