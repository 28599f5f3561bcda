/// The figure that a report shows for a column.
enum ColumnFigure: Sendable {
    /// No figure, because no value can be drawn.
    case none
    /// A histogram with minimum, median, mean and maximum.
    case numbers(NumberSummary)
    /// A column chart of days, months or years.
    case dates(DateSummary)
    /// The number of dates, if the years of all dates are outside the calendar.
    case datesBeyond(Int)
    /// A column chart of the hours of the day.
    case timesOfDay(TimeOfDaySummary)
    /// A bar with two parts; at least one count is not 0.
    case booleans(trueCount: Int, falseCount: Int)
    /// A list of the most frequent texts.
    case texts(TextSummary)
    /// A palette of colors, because all texts are colors.
    case palette(PaletteSummary)
    /// The referenced rows with their referencing rows.
    case tree(TreeSummary)
}
