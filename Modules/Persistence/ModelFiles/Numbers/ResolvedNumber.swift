public import StrataCore

/// A number attribute for which the descriptor does not contain the count of decimal places.
///
/// ``ModelFile/openNumbers`` contains these attributes. A caller that knows their types passes them to
/// ``ModelFile/init(json:domains:numbers:layouts:isStrict:isKept:readsResources:schema:)``.
///
/// The Data Package standard has no property for this count, but a value such as `1.50` must not be exported as `1.5`.
/// Therefore the count is determined from the data before the first row is stored.
public struct UnspecifiedNumber: Sendable, Hashable {
    /// The entity's name in the model.
    public let entity: String
    /// The attribute's name in the model.
    public let attribute: String

    /// Creates the description of an entity's number attribute.
    ///
    /// - Parameters:
    ///   - entity: The entity's name in the model, which can differ from the table's name in the file.
    ///   - attribute: The attribute's name in the model, which can differ from the field's name in the file.
    public init(entity: String, attribute: String) {
        self.entity = entity
        self.attribute = attribute
    }
}

/// The type that was determined for the values of an ``UnspecifiedNumber``.
///
/// Choose the first type that preserves the text of every cell: a decimal, a double, or a text. The choice is final: in
/// an existing store, values that are added later must have this type.
public enum ResolvedNumber: Sendable, Hashable {
    /// A decimal with a count of decimal places from 0 to 18.
    ///
    /// The whole number without its decimal point must fit in 64 bits.
    case decimal(scale: UInt8)
    /// A floating-point number.
    ///
    /// Only the shortest text of each double is preserved, so `1.50` would become `1.5`.
    case double
    /// A text that contains a number, because no other type would preserve the text of every cell.
    case text

    /// Creates the value for the type of a store's attribute; `nil` if the attribute is not a number.
    ///
    /// Use this initializer to read a model file with the types of an existing store. A text counts as a number only if
    /// its format is `number`.
    ///
    /// - Parameter attribute: The attribute of the store's model.
    public init?(_ attribute: AttributeDescription) {
        switch attribute.type {
        case .decimal(let scale): self = .decimal(scale: scale)
        case .double: self = .double
        case .string where attribute.domain?.name == TextFormat.number.rawValue: self = .text
        default: return nil
        }
    }

    /// The type of the attribute in the model.
    public var type: AttributeType {
        switch self {
        case .decimal(let scale): .decimal(scale: scale)
        case .double: .double
        case .text: .string
        }
    }

    /// The text format of the attribute in the model; `nil` if its values are not texts.
    var format: TextFormat? { self == .text ? .number : nil }
}
