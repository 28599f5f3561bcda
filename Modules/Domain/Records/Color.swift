public import Foundation

/// A color with an optional name, and the date of its record.
///
/// The type is a plain value, so tests create colors without a store.
public struct Color: ColorRecord, Identifiable, Hashable, Sendable {
    /// The type of a color's identifier.
    public typealias ID = Identifier<Color>

    /// The identifier, which never changes.
    public let id: ID

    /// The color value.
    public var hex: HexColor

    /// The name of the color, or `nil` if it has none.
    public var name: String?

    /// The date when the color was recorded.
    public var dateCreated: Date

    /// Creates a color; every combination of values is valid.
    public init(id: ID, hex: HexColor, name: String? = nil, dateCreated: Date) {
        self.id = id
        self.hex = hex
        self.name = name
        self.dateCreated = dateCreated
    }
}
