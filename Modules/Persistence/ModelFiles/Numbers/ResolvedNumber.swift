public import StrataCore

/// A number whose descriptor does not contain the count of decimal places.
///
/// The standard has no property for this count, but a value such as `1.50` must not be exported as `1.5`. The data
/// therefore determine the count before the first row is stored.
public struct UnspecifiedNumber: Sendable, Hashable {
    /// The entity's name in the model.
    public let entity: String
    /// The attribute's name in the model.
    public let attribute: String

    /// Creates a number of an entity.
    public init(entity: String, attribute: String) {
        self.entity = entity
        self.attribute = attribute
    }
}

/// The type that was determined for an ``UnspecifiedNumber``.
public enum ResolvedNumber: Sendable, Hashable {
    /// A decimal with a count of decimal places, 0 to 18.
    case decimal(scale: UInt8)
    /// A floating-point number.
    case double
    /// A text that contains a number, because no other type would preserve the text of every cell.
    case text

    /// Creates the type of a store's attribute, or returns `nil` if the attribute is not a number.
    public init?(_ attribute: AttributeDescription) {
        switch attribute.type {
        case .decimal(let scale): self = .decimal(scale: scale)
        case .double: self = .double
        case .string where attribute.domain?.name == TextFormat.number.rawValue: self = .text
        default: return nil
        }
    }

    /// The attribute's type.
    public var type: AttributeType {
        switch self {
        case .decimal(let scale): .decimal(scale: scale)
        case .double: .double
        case .text: .string
        }
    }

    /// The attribute's text format.
    var format: TextFormat? { self == .text ? .number : nil }
}
