/// The values of a text attribute.
struct TextSummary: Sendable {
    struct Value: Sendable {
        let text: String
        let isCut: Bool
        let count: Int
    }

    /// The number of values of the attribute that are not null.
    let count: Int
    /// The number of different values, which is an estimate unless ``isExact``.
    let distinctCount: Int
    let isExact: Bool
    /// The maximum number of occurrences of a value that is not listed, or 0 if all values were counted.
    let leastListed: Int
    /// The most frequent values in descending order.
    let top: [Value]
}
