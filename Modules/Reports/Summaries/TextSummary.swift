/// The values of a text attribute.
struct TextSummary: Sendable {
    struct Value: Sendable {
        let text: String
        let isCut: Bool
        let count: Int
    }

    /// How many values there are.
    let count: Int
    /// How many different ones; an estimate unless ``isExact``.
    let distinctCount: Int
    let isExact: Bool
    /// How often a value may occur and not be among the most frequent; 0 where all were counted.
    let leastListed: Int
    /// The most frequent values, most frequent first.
    let top: [Value]
}
