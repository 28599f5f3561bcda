/// What is drawn of a column.
enum ColumnFigure: Sendable {
    /// Nothing: no value can be drawn.
    case none
    case numbers(NumberSummary)
    case dates(DateSummary)
    /// Dates all of which lie in years that no calendar has, and how many.
    case datesBeyond(Int)
    case timesOfDay(TimeOfDaySummary)
    case booleans(trueCount: Int, falseCount: Int)
    case texts(TextSummary)
    case palette(PaletteSummary)
    case tree(TreeSummary)
}
