/// How the value of a field is drawn: numbers only, so that drawing follows no reference and counts none.
enum Draw {
    /// Whole numbers or units of decimals: least, how many, what they are apart.
    case uniform(least: Int64, count: UInt64, step: Int64)
    case quantity(Quantity)
    /// Seconds: first, how many, what they are apart.
    case instants(first: Int64, count: UInt64, step: Int64)
    case weightedDays(WeightedDays)
    /// A second of a day by weight, or what is so many seconds apart.
    case weightedSeconds(WeightedDays, step: Int64)
    /// Texts that are all as likely.
    case texts(TextRange)
    /// Texts by weight: the place of the sums in the numbers.
    case weightedTexts(TextRange, sums: Int)
    /// One of a product of two lists.
    case pairs(TextRange, TextRange)
    /// Names by the row's locale: the place of the table in the numbers, and which part of it.
    case names(table: Int, part: NamePart)
    /// Unique names: the place of the table of how many there are up to each locale.
    case allNames(table: Int, part: NamePart)
    case code(prefix: Int32, digits: Int32, count: UInt64)
    /// Texts of a grammar: its place in the numbers, and how many there are.
    case grammar(place: Int32, count: UInt64)
    /// Bytes: the fewest, and how many numbers of bytes there are.
    case bytes(least: Int32, lengths: UInt64)
    /// Values of a list: its place among the plan's values, and how many.
    case values(first: Int, count: UInt64)
    /// The same by weight: the place of the sums in the numbers.
    case weightedValues(first: Int, count: Int, sums: Int)
    /// UUIDs of which no two are the same: the key of the attribute.
    case uuid(key: UInt64)
    case color
    case chance(threshold: UInt64)
    /// The place of the other field, and percent.
    case markup(over: Int, least: UInt64, count: UInt64)
    /// The place of the other field, how many steps there are beyond it, what they are apart, and the second before which all lie.
    case later(over: Int, count: UInt64, step: Int64, end: Int64)
    /// A row before this one.
    case earlier
    /// How many targets.
    case reference(count: UInt64)
    /// Bounded references: the place of the first slots of each target in the numbers, how many targets, how many rows refer.
    case slots(starts: Int, targets: Int, referring: UInt64)
}

extension Draw {
    /// The place of the field over which this one is made; `nil` for most.
    var over: Int? {
        switch self {
        case .markup(let over, _, _), .later(let over, _, _, _): over
        default: nil
        }
    }
}

/// What of a name is asked for.
enum NamePart {
    case given
    case family
    case full
}
