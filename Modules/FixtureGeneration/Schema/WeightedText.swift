/// A text with a weight.
///
/// The probability of a text is its weight divided by the sum of all weights in its list.
///
/// ## Topics
///
/// ### Creating a text
///
/// - ``init(_:weight:)``
///
/// ### Reading a text
///
/// - ``text``
/// - ``weight``
public struct WeightedText: Sendable, Hashable {
    /// The text.
    ///
    /// It must not contain U+0000. Values of other types are written as in datasets.
    public var text: String
    /// The relative probability, a positive integer.
    ///
    /// Weights above 1,000,000 are rejected when ``Fixtures`` are created.
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
