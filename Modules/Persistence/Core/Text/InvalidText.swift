/// Why a text is not a value of its type: the rule alone, without the text and the place.
///
/// Who knows the place makes an error of it that names it.
public struct InvalidText: Error, Hashable, Sendable, CustomStringConvertible {
    /// The rule that is broken, to be put behind the text: `month 13 is not in 1...12`.
    public let reason: String

    /// Makes a reason.
    ///
    /// - Parameter reason: The rule that is broken, without a full stop.
    public init(_ reason: String) {
        self.reason = reason
    }

    /// The reason.
    public var description: String { reason }
}
