/// The way in which the values of a field are drawn, described by numbers only, so that drawing counts no references.
///
/// Most draws use 64 random bits of the row. `value(rank:_:_:)` returns the same values by number, if a draw's values
/// are equally likely; unique fields use it with a permutation of the numbers.
enum Draw {
    /// Integers, or decimals without their decimal point: the minimum, the count of values, and the distance between
    /// them.
    case uniform(least: Int64, count: UInt64, step: Int64)
    case quantity(Quantity)
    /// Instants in seconds: the first instant, the count of instants, and the distance between them.
    case instants(first: Int64, count: UInt64, step: Int64)
    case weightedDays(WeightedDays)
    /// A second of a weighted day, with a distance in seconds between two values.
    case weightedSeconds(WeightedDays, step: Int64)
    /// Texts from a list that are equally likely.
    case texts(TextRange)
    /// Texts from a list with weights; `sums` is the index of the cumulative weights in the plan's numbers.
    case weightedTexts(TextRange, sums: Int)
    /// A text from one list and a text from another list.
    case pairs(TextRange, TextRange)
    /// Names in the row's locale: the index of the ``NameTable`` in the plan's numbers, and the part of the name.
    case names(table: Int, part: NamePart)
    /// Unique names: the index of the ``NameTable`` with the names of all locales in the plan's numbers, and the part.
    case allNames(table: Int, part: NamePart)
    case code(prefix: Int32, digits: Int32, count: UInt64)
    /// Texts of a grammar: the index of the grammar in the plan's numbers, and the count of its texts.
    case grammar(place: Int32, count: UInt64)
    /// Random bytes: the minimum length, and the count of different lengths.
    case bytes(least: Int32, lengths: UInt64)
    /// Equally likely values that are not texts: the index of the first value in the plan, and the count of values.
    case values(first: Int, count: UInt64)
    /// Weighted values that are not texts: the first value, their count, and the index of the cumulative weights.
    case weightedValues(first: Int, count: Int, sums: Int)
    /// Unique UUIDs, determined by the key of the attribute.
    case uuid(key: UInt64)
    case color
    case chance(threshold: UInt64)
    /// A number increased by a percentage: the index of the field with the number, and the range of percentages.
    case markup(over: Int, least: UInt64, count: UInt64)
    /// A date after the date of another field: the index of that field, the count of possible steps, the size of a step
    /// in seconds, and the end before which the date is.
    case later(over: Int, count: UInt64, step: Int64, end: Int64)
    /// A reference to an earlier row of the same entity.
    case earlier
    /// A reference to one of `count` targets.
    case reference(count: UInt64)
    /// References with bounds per target: the index of the first slots in the plan's numbers, the count of targets, and
    /// the count of references.
    case slots(starts: Int, targets: Int, referring: UInt64)
}

extension Draw {
    /// The index of the other field from which values are derived, or `nil` if they are not derived.
    var over: Int? {
        switch self {
        case .markup(let over, _, _), .later(let over, _, _, _): over
        default: nil
        }
    }
}

/// The part of a person's name that a field contains.
enum NamePart {
    case given
    case family
    case full
}
