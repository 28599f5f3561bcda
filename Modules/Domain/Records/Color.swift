public import Foundation

/// A named or nameless colour, and when it was recorded.
///
/// A plain value: tests make as many as they like, without a store.
public struct Color: ColorRecord, Identifiable, Hashable, Sendable {
    /// What identifies a colour.
    public typealias ID = Identifier<Color>

    /// The identity, given once.
    public let id: ID

    /// The colour itself.
    public var hex: HexColor

    /// What people call it, or nil.
    public var name: String?

    /// When it was recorded.
    public var dateCreated: Date

    /// Makes a colour; every combination is valid, so nothing is thrown.
    public init(id: ID, hex: HexColor, name: String? = nil, dateCreated: Date) {
        self.id = id
        self.hex = hex
        self.name = name
        self.dateCreated = dateCreated
    }
}
