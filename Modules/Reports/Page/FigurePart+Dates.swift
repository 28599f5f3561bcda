extension FigurePart {
    private static let mostLabels = 8

    /// Writes a column chart of days, months or years.
    func write(_ summary: DateSummary, to markup: inout Markup) {
        let bins = summary.bins
        let (unit, heading) = Self.names(bins.unit)
        let tallest = summary.counts.indices.max { summary.counts[$0] < summary.counts[$1] } ?? 0
        let highest = summary.counts[tallest]
        let span = "from \(summary.least.text) to \(summary.greatest.text)"
        var sentences = ["\(NumberText.count(summary.count, singular: "date")) by \(unit), \(span)."] + nullSentence
        if summary.beyondCount > 0 { sentences.append(Self.beyond(summary.beyondCount)) }
        let share = NumberText.share(highest, of: summary.count)
        let description =
            "\(NumberText.count(summary.count, singular: "date")) by \(unit), \(span), "
            + "in \(NumberText.count(bins.count, singular: "column")). "
            + "The tallest, \(bins.name(tallest)), holds \(NumberText.count(highest, singular: "date")) (\(share))."
        guard bins.count > 1 else {
            sentences[0] =
                "\(NumberText.count(summary.count, singular: "date")), \(summary.count == 1 ? "" : "all ")on \(bins.name(0))."
            return figure(to: &markup, sentences) { _ in }
        }
        figure(to: &markup, sentences) { markup in
            ColumnPlot(
                id: id, title: "\(column.name) by \(unit)", description: description, counts: summary.counts,
                labels: Self.labels(bins)
            ).write(to: &markup)
            details(to: &markup, DataTable([heading, "Rows", "Share"], bars: true)) { table in
                for (index, count) in summary.counts.enumerated() {
                    table.row(
                        bins.name(index), [NumberText.count(count), NumberText.share(count, of: summary.count)],
                        bar: Share.percent(count, of: highest))
                }
            }
        }
    }

    /// Returns a sentence on the dates that are not drawn because their years are outside the calendar.
    static func beyond(_ count: Int) -> String {
        "\(NumberText.count(count, singular: "date lies", plural: "dates lie")) beyond the years −999,999 to 999,999 and "
            + "\(count == 1 ? "is" : "are") not drawn."
    }

    /// Returns the name of a bin in a sentence and its heading in a table.
    private static func names(_ unit: DateBins.Unit) -> (String, String) {
        switch unit {
        case .day: ("day", "Day")
        case .month: ("month", "Month")
        case .years(1): ("year", "Year")
        case .years(let count): ("\(NumberText.count(count)) years", "Years")
        }
    }

    private static func labels(_ bins: DateBins) -> LabelLayout {
        func label(_ index: Int, _ text: String) -> ColumnPlot.Label {
            // In a chart of many months, a year's label is at its first month. Otherwise each label is below its own
            // bin.
            let inside = bins.count > 48 && bins.unit == .month ? 0 : 0.5
            return ColumnPlot.Label(place: (Double(index) + inside) / Double(bins.count), text: text)
        }
        var lists = (2...mostLabels).reversed().map { most in bins.labels(atMost: most).map(label) }
        let last = bins.count - 1
        lists.append(last > 0 ? [label(0, bins.name(0)), label(last, bins.name(last))] : [label(0, bins.name(0))])
        return LabelLayout(lists)
    }
}
