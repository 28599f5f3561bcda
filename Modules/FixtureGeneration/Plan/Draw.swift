/// How the value of a field is drawn: numbers only, so that drawing follows no reference and counts none.
enum Draw {
    /// Whole numbers or units of decimals: least, how many, what they are apart.
    case uniform(least: Int64, count: UInt64, step: Int64)
    case quantity(Quantity)
    /// Seconds: first, how many, what they are apart.
    case instants(first: Int64, count: UInt64, step: Int64)
    case weightedDays(WeightedDays)
    /// A second of a day by weight.
    case weightedSeconds(WeightedDays)
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
    /// UUIDs of which no two are the same: the key of the attribute.
    case uuid(key: UInt64)
    case color
    case chance(threshold: UInt64)
    /// The place of the other field, and percent.
    case markup(over: Int, least: UInt64, count: UInt64)
    /// How many targets.
    case reference(count: UInt64)
    /// Bounded references: the place of the first slots of each target in the numbers, how many targets, how many rows refer.
    case slots(starts: Int, targets: Int, referring: UInt64)
}

/// What of a name is asked for.
enum NamePart {
    case given
    case family
    case full
}
