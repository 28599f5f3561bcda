extension FigurePart {
    /// Writes a column for each hour of the day.
    func write(_ summary: TimeOfDaySummary, to markup: inout Markup) {
        let tallest = summary.counts.indices.max { summary.counts[$0] < summary.counts[$1] } ?? 0
        let highest = summary.counts[tallest]
        let count = NumberText.count(summary.count, singular: "time")
        let span = "from \(summary.least) to \(summary.greatest)"
        let description =
            "\(count) by hour of the day, \(span), in \(NumberText.count(summary.counts.count, singular: "column")). "
            + "The tallest, \(Self.hour(tallest)), holds \(NumberText.count(highest, singular: "time")) "
            + "(\(NumberText.share(highest, of: summary.count)))."
        figure(to: &markup, ["\(count) by hour of the day, \(span)."] + nullSentence) { markup in
            ColumnPlot(
                id: id, title: "\(column.name) by hour of the day", description: description, counts: summary.counts,
                labels: Self.hours(summary.counts.count)
            ).write(to: &markup)
            details(to: &markup, DataTable(["Hour", "Rows", "Share"], bars: true)) { table in
                for (hour, count) in summary.counts.enumerated() {
                    table.row(
                        Self.hour(hour), [NumberText.count(count), NumberText.share(count, of: summary.count)],
                        bar: Share.percent(count, of: highest))
                }
            }
        }
    }

    /// Returns the text of an hour, such as `08:00`.
    private static func hour(_ hour: Int) -> String { hour < 10 ? "0\(hour):00" : "\(hour):00" }

    /// Returns labels at the beginning of every third, sixth or twelfth hour.
    private static func hours(_ count: Int) -> LabelLayout {
        LabelLayout(
            [3, 6, 12].map { step in
                stride(from: 0, to: count, by: step).map { hour in
                    ColumnPlot.Label(place: Double(hour) / Double(count), text: Self.hour(hour))
                }
            })
    }
}
