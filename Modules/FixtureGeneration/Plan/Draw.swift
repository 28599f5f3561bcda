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

/// A field, ready to be drawn.
struct FieldPlan {
    /// The addresses of the value and of what decides about it.
    let address: UInt64
    let nullAddress: UInt64
    let hostileAddress: UInt64
    let hostileValueAddress: UInt64
    /// Bits below this make null; 0 for never.
    var nullThreshold: UInt64 = 0
    var draw: Draw
    /// Values are taken in this order instead of being drawn.
    var permutation: Permutation?
    /// Whether no two rows have the same value.
    var isUnique = false
    /// Which of the plan's overrides stand before the permutation; -1 for none.
    var overrides = -1
    /// Bits below this make a hostile value; 0 for never.
    var hostileThreshold: UInt64 = 0
    var hostile = Hostile.none

    /// Where hostile values come from.
    enum Hostile {
        case none
        case texts(TextRange)
        /// Numbers: their place among the plan's numbers, and how many.
        case integers(first: Int, count: Int)
        /// Dates: seconds and nanoseconds in turn.
        case dates(first: Int, count: Int)
    }

    init(_ name: String, _ draw: Draw) {
        address = RowBits.address(of: name)
        nullAddress = RowBits.address(of: name, .null)
        hostileAddress = RowBits.address(of: name, .hostile)
        hostileValueAddress = RowBits.address(of: name, .hostileValue)
        self.draw = draw
    }
}
