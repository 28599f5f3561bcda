public import Foundation

/// What code that reads colours depends on: the struct ``Color`` conforms, and so does the managed object.
public protocol ColorRecord {
    /// The identity, given once.
    var id: Color.ID { get }

    /// The colour itself.
    var hex: HexColor { get }

    /// What people call it, or nil.
    var name: String? { get }

    /// When it was recorded.
    var dateCreated: Date { get }
}

extension ColorRecord {
    /// What to show for the colour: its name, or `#RRGGBB` where it has none.
    public var displayName: String { name ?? hex.rawValue }
}
