/// The figure that a report shows for a column.
enum ColumnFigure: Sendable {
    /// No figure, because no value can be drawn.
    case none
    case numbers(NumberSummary)
    case dates(DateSummary)
    /// The number of dates, if the years of all dates are outside the calendar.
    case datesBeyond(Int)
    case timesOfDay(TimeOfDaySummary)
    case booleans(trueCount: Int, falseCount: Int)
    case texts(TextSummary)
    case palette(PaletteSummary)
    case tree(TreeSummary)
}
