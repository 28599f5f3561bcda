/// An error with the reason why a text is not a value of its type, without the text and its location.
///
/// A caller that knows the location throws an error that contains both.
public struct InvalidText: Error, Hashable, Sendable, CustomStringConvertible {
    /// The broken rule, for a message that continues after the text: `month 13 is not in 1...12`.
    public let reason: String

    /// Creates an error with a reason.
    ///
    /// - Parameter reason: The broken rule, without a final period.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
