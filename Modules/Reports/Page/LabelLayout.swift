/// The labels that fit below a chart: on a phone with a width of 360 pixels, and on wider screens.
///
/// The page has no scripts, so that it cannot measure texts. The widths are estimates with a typical width of a
/// character; both lists are part of the page, and the style sheet shows one of them.
struct LabelLayout {
    /// The minimum widths of a chart in CSS pixels: on a phone, and from the breakpoint `wider` of the style sheet.
    private static let narrowWidth: Double = 236
    private static let wideWidth: Double = 310
    /// The maximum overhang of a label on either side of the chart.
    private static let overhang: Double = 12
    /// The estimated width of a character, in CSS pixels.
    private static let characterWidth = 7.0
    /// The minimum space between two labels, in CSS pixels.
    private static let space = 8.0

    /// The labels on a phone.
    let narrow: [ColumnPlot.Label]
    /// The labels on wider screens.
    let wide: [ColumnPlot.Label]

    /// Creates a layout with the first list that fits, or with the first label of the last list if none fits.
    init(_ lists: [[ColumnPlot.Label]]) {
        func fitting(_ width: Double) -> [ColumnPlot.Label] {
            lists.first { Self.fits($0, in: width) } ?? Array((lists.last ?? []).prefix(1))
        }
        narrow = fitting(Self.narrowWidth)
        wide = fitting(Self.wideWidth)
    }

    /// Returns a Boolean value that indicates whether labels neither overlap nor exceed the overhang on either side.
    private static func fits(_ labels: [ColumnPlot.Label], in plotWidth: Double) -> Bool {
        guard labels.count > 1 else { return false }
        var end = -overhang - space
        for label in labels {
            let half = Double(label.text.count) * characterWidth / 2
            guard half - overhang <= plotWidth / 2 else { return false }
            let place = min(max(label.place * plotWidth, half - overhang), plotWidth - half + overhang)
            if place - half < end + space { return false }
            end = place + half
        }
        return true
    }
}
