extension FigurePart {
    /// Writes a histogram.
    func write(_ summary: NumberSummary, to markup: inout Markup) {
        let digits = summary.kind.fractionDigits
        func text(_ number: DecimalNumber, digits: Int = digits) -> String {
            NumberText.number(number, fractionDigits: digits)
        }
        let bins = summary.bins
        let axis = NumberAxis(bins)
        var sentences =
            ["\(NumberText.count(summary.count, singular: "value")). The line marks the median."] + nullSentence
        if let unit = axis.unit { sentences.append("The axis is in \(unit).") }
        let tallest = summary.counts.indices.max { summary.counts[$0] < summary.counts[$1] } ?? 0
        let highest = summary.counts[tallest]
        let place = bins.isDiscrete ? text(bins.edge(tallest)) : Self.interval(bins, tallest)
        let width =
            bins.isDiscrete
            ? "one for each value"
            : "from \(text(bins.edge(0), digits: 0)) to \(text(bins.edge(bins.count), digits: 0))"
        let description =
            "Histogram of \(NumberText.count(summary.count, singular: "value")) "
            + "in \(NumberText.count(bins.count, singular: "bin")), \(width). "
            + "Least \(text(summary.least)), median \(text(summary.median)), mean \(text(summary.mean)), "
            + "greatest \(text(summary.greatest)). The tallest bin, \(place), holds "
            + "\(NumberText.count(highest, singular: "value")) (\(NumberText.share(highest, of: summary.count)))."
        guard summary.least != summary.greatest else {
            let sentence =
                "\(NumberText.count(summary.count, singular: "value")), \(summary.count == 1 ? "" : "all ")\(text(summary.least))."
            return figure(to: &markup, [sentence] + nullSentence) { _ in }
        }
        figure(to: &markup, sentences) { markup in
            markup.element("dl") { markup in
                let facts = [
                    ("least", summary.least), ("median", summary.median), ("mean", summary.mean),
                    ("greatest", summary.greatest),
                ]
                for (name, number) in facts {
                    markup.element("div") { markup in
                        markup.element("dt", text: name)
                        markup.element("dd", text: text(number))
                    }
                }
            }
            ColumnPlot(
                id: id, title: "Histogram of \(column.name)", description: description, counts: summary.counts,
                labels: axis.labels, median: summary.medianPlace
            ).write(to: &markup)
            let headings = bins.isDiscrete ? ["Value", "Rows", "Share"] : ["From … to below", "Rows", "Share"]
            details(to: &markup, DataTable(headings, bars: true)) { table in
                for (index, count) in summary.counts.enumerated() {
                    table.row(
                        bins.isDiscrete ? text(bins.edge(index)) : Self.interval(bins, index),
                        [NumberText.count(count), NumberText.share(count, of: summary.count)],
                        bar: Share.percent(count, of: highest))
                }
            }
        }
    }

    private static func interval(_ bins: NumberBins, _ index: Int) -> String {
        "\(NumberText.number(bins.edge(index))) … \(NumberText.number(bins.edge(index + 1)))"
    }
}

/// The labels below a histogram.
struct NumberAxis {
    /// The maximum length of a label; longer labels are written in thousands, millions and so on, if that is exact.
    private static let longLabel = 9
    private static let mostLabels = 7

    let labels: LabelLayout
    /// The unit of the labels in words, or `nil` if the labels are the numbers themselves.
    let unit: String?

    init(_ bins: NumberBins) {
        let places = 0..<(bins.count + (bins.isDiscrete ? 0 : 1))
        let edges = places.map(bins.edge)
        let longest = edges.map { NumberText.number($0).count }.max() ?? 0
        let zeros = edges.filter { $0.coefficient != 0 }.map(\.normalized.exponent).min() ?? 0
        let exponent = longest > Self.longLabel && zeros >= 3 ? zeros / 3 * 3 : 0
        unit = exponent == 0 ? nil : Self.unit(exponent)
        func label(_ index: Int) -> ColumnPlot.Label {
            let edge = edges[index]
            let place = (Double(index) + (bins.isDiscrete ? 0.5 : 0)) / Double(bins.count)
            return ColumnPlot.Label(
                place: place,
                text: NumberText.number(DecimalNumber(edge.coefficient, exponent: edge.exponent - exponent)))
        }
        var lists: [[ColumnPlot.Label]] = []
        for stride in [1, 2, 5, 10, 20] {
            let list = places.filter { bins.isMultiple($0, of: stride) }
            if (2...Self.mostLabels).contains(list.count) { lists.append(list.map(label)) }
        }
        lists.append(edges.count > 1 ? [label(0), label(edges.count - 1)] : [label(0)])
        labels = LabelLayout(lists)
    }

    private static func unit(_ exponent: Int) -> String {
        switch exponent {
        case 3: "thousands"
        case 6: "millions"
        case 9: "billions (10⁹)"
        default: NumberText.number(DecimalNumber(1, exponent: exponent)) + " (\(exponent) zeros)"
        }
    }
}
