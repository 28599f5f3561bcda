/// A text and how likely it is.
public struct WeightedText: Sendable, Hashable {
    /// The text.
    public var text: String
    /// How likely it is among the others, a whole number above 0.
    public var weight: Int

    /// A text with a weight.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - weight: 1 unless given.
    public init(_ text: String, weight: Int = 1) {
        self.text = text
        self.weight = weight
    }
}
