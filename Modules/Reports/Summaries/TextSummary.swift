/// The values of a text attribute.
struct TextSummary: Sendable {
    /// A text, or the beginning of a long text, with the number of its occurrences.
    struct Value: Sendable {
        let text: String
        /// A Boolean value that indicates whether the text is the beginning of a longer text.
        let isCut: Bool
        let count: Int
    }

    /// The number of values of the attribute that are not null.
    let count: Int
    /// The number of different values, which is an estimate unless ``isExact``.
    let distinctCount: Int
    /// A Boolean value that indicates whether all different values were counted.
    let isExact: Bool
    /// The maximum number of occurrences of a value that is not listed, or 0 if all values were counted.
    let leastListed: Int
    /// The most frequent values in descending order, with exact counts.
    let top: [Value]
}
