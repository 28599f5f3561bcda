public import Foundation

/// The properties of a color, for code that accepts both the struct ``Color`` and the managed object.
public protocol ColorRecord {
    /// The identifier, which never changes.
    var id: Color.ID { get }

    /// The color value.
    var hex: HexColor { get }

    /// The name of the color, or `nil` if it has none.
    var name: String? { get }

    /// The date when the color was recorded.
    var dateCreated: Date { get }
}

extension ColorRecord {
    /// The text to display for the color: its name, or `#RRGGBB` if it has no name.
    public var displayName: String { name ?? hex.rawValue }
}
