/// A text with a weight.
public struct WeightedText: Sendable, Hashable {
    /// The text.
    public var text: String
    /// The relative probability, a positive integer.
    public var weight: Int

    /// Creates a text with a weight.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - weight: The weight. The default is 1.
    public init(_ text: String, weight: Int = 1) {
        self.text = text
        self.weight = weight
    }
}
