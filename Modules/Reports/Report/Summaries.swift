import Foundation
import StrataPersistence

/// What is said of an entity.
struct EntitySummary: Sendable {
    let name: String
    let rowCount: Int
    let columns: [ColumnSummary]
}

/// What is said of an attribute or a to-one relationship.
struct ColumnSummary: Sendable {
    let name: String
    /// The type as people call it, or where a relationship leads.
    let kind: String
    let isOptional: Bool
    let nullCount: Int
    let figure: ColumnFigure
}

/// What is drawn of a column.
enum ColumnFigure: Sendable {
    /// Nothing: no value can be drawn.
    case none
    case numbers(NumberSummary)
    case dates(DateSummary)
    /// Dates all of which lie in years that no calendar has, and how many.
    case datesBeyond(Int)
    case booleans(trueCount: Int, falseCount: Int)
    case texts(TextSummary)
    case palette(PaletteSummary)
    case tree(TreeSummary)
}

/// The pairs of a many-to-many relationship.
struct JoinSummary: Sendable {
    let name: String
    let source: String
    let target: String
    let count: Int
}

/// The distribution of a numeric attribute with at least one value.
struct NumberSummary: Sendable {
    let kind: NumberKind
    /// How many values there are.
    let count: Int
    let least: DecimalNumber
    let greatest: DecimalNumber
    let mean: DecimalNumber
    let median: DecimalNumber
    /// Where among the bins the median is, from 0 to 1.
    let medianPlace: Double
    let bins: NumberBins
    let counts: [Int]
}

/// The distribution of a date attribute with at least one value within the calendar.
struct DateSummary: Sendable {
    /// How many values there are within the calendar.
    let count: Int
    /// How many lie in years that no calendar has.
    let beyondCount: Int
    let least: CalendarDay
    let greatest: CalendarDay
    let bins: DateBins
    let counts: [Int]
}

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

/// The colours of a text attribute, all of whose values are `#RRGGBB`.
struct PaletteSummary: Sendable {
    struct Swatch: Sendable {
        let color: RGBColor
        /// The first name that a row with this colour has and that is not empty, where there is one.
        let name: String?
        /// Whether the name is the beginning of a longer one.
        let isCut: Bool
        let count: Int
    }

    /// How many values there are.
    let count: Int
    /// How many different colours, exactly.
    let distinctCount: Int
    /// The colours shown, in the order of a palette: all, or a sample.
    let swatches: [Swatch]
}

/// The rows of an entity under those that a to-one relationship leads to.
struct TreeSummary: Sendable {
    struct Parent: Sendable {
        let id: Int64
        let label: String
        let count: Int
        /// The first children by id.
        let children: [String]
    }

    let parentEntity: String
    let childEntity: String
    /// All rows of the parents' entity.
    let allParents: Int
    /// How many of them have children; an estimate unless ``isExact``.
    let parentsWithChildren: Int
    let isExact: Bool
    /// How many children a parent may have and not be among those shown; 0 where all were counted.
    let leastListed: Int
    /// Those with the most children, most first.
    let top: [Parent]
    /// How many children have a parent.
    let childCount: Int
    /// How many have none, and the first of them by id.
    let orphanCount: Int
    let orphans: [String]
}
