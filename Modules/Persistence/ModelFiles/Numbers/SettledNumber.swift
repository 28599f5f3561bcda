public import StrataCore

/// A number of which a descriptor does not say how many digits it has after the point.
///
/// The standard has no word for it, and what is written as `1.50` must not come back as `1.5`: the data say it, before the first row is stored.
public struct OpenNumber: Sendable, Hashable {
    /// The entity's name in the model.
    public let entity: String
    /// The attribute's name in the model.
    public let attribute: String

    /// A number of an entity.
    public init(entity: String, attribute: String) {
        self.entity = entity
        self.attribute = attribute
    }
}

/// What an ``OpenNumber`` was found to be.
public enum SettledNumber: Sendable, Hashable {
    /// A decimal with so many digits after the point, 0 to 18.
    case decimal(scale: UInt8)
    /// A floating-point number.
    case double
    /// A text that is a number: no other type would give every cell back.
    case text

    /// What a store's attribute was found to be; `nil` where it is no number.
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

    /// The attribute's format.
    var format: TextFormat? { self == .text ? .number : nil }
}
