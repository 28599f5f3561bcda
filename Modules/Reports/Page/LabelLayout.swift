/// Which labels fit below a plot: on a phone of 360 pixels, and where there is more room.
struct LabelLayout {
    /// The narrowest plots there are, in CSS pixels: on a phone, and from the style sheet's `wider` on.
    private static let narrowWidth: Double = 236
    private static let wideWidth: Double = 310
    /// How far a label may reach out of the plot on either side.
    private static let overhang: Double = 12
    private static let characterWidth = 7.0
    private static let space = 8.0

    /// The labels on a phone.
    let narrow: [ColumnPlot.Label]
    /// The labels where there is room.
    let wide: [ColumnPlot.Label]

    /// Chooses of several lists of labels the first that fits; where none does, the first label of the last.
    init(_ lists: [[ColumnPlot.Label]]) {
        func fitting(_ width: Double) -> [ColumnPlot.Label] {
            lists.first { Self.fits($0, in: width) } ?? Array((lists.last ?? []).prefix(1))
        }
        narrow = fitting(Self.narrowWidth)
        wide = fitting(Self.wideWidth)
    }

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
