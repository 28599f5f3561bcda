/// The drawing of a field's value; it contains only numbers, so that drawing causes no reference counting.
enum Draw {
    /// Integers, or decimals without their decimal point: the minimum, the count, and the distance between two values.
    case uniform(least: Int64, count: UInt64, step: Int64)
    case quantity(Quantity)
    /// Seconds: the first one, the count, and the distance between two values.
    case instants(first: Int64, count: UInt64, step: Int64)
    case weightedDays(WeightedDays)
    /// A second of a weighted day, with a distance between two values.
    case weightedSeconds(WeightedDays, step: Int64)
    /// Texts that are equally likely.
    case texts(TextRange)
    /// Weighted texts: the index of the cumulative weights in the numbers.
    case weightedTexts(TextRange, sums: Int)
    /// A pair from the product of two lists.
    case pairs(TextRange, TextRange)
    /// Names by the row's locale: the index of the table in the numbers, and the part of the name.
    case names(table: Int, part: NamePart)
    /// Unique names: the index of the table of cumulative counts by locale.
    case allNames(table: Int, part: NamePart)
    case code(prefix: Int32, digits: Int32, count: UInt64)
    /// Texts of a grammar: its index in the numbers, and the count of texts.
    case grammar(place: Int32, count: UInt64)
    /// Bytes: the minimum length, and the count of lengths.
    case bytes(least: Int32, lengths: UInt64)
    /// Values of a list: the index among the plan's values, and the count.
    case values(first: Int, count: UInt64)
    /// Weighted values of a list, with the index of the cumulative weights in the numbers.
    case weightedValues(first: Int, count: Int, sums: Int)
    /// Unique UUIDs: the key of the attribute.
    case uuid(key: UInt64)
    case color
    case chance(threshold: UInt64)
    /// A markup: the index of the other field, and the percentages.
    case markup(over: Int, least: UInt64, count: UInt64)
    /// A later date: the index of the other field, the count of steps after it, the size of a step, and the end.
    case later(over: Int, count: UInt64, step: Int64, end: Int64)
    /// A reference to an earlier row of the same entity.
    case earlier
    /// A reference: the count of targets.
    case reference(count: UInt64)
    /// Bounded references: the index of the first slots in the numbers, and the counts of targets and of references.
    case slots(starts: Int, targets: Int, referring: UInt64)
}

extension Draw {
    /// The index of the field from which this value is derived, or `nil` for most draws.
    var over: Int? {
        switch self {
        case .markup(let over, _, _), .later(let over, _, _, _): over
        default: nil
        }
    }
}

/// The required part of a name.
enum NamePart {
    case given
    case family
    case full
}
