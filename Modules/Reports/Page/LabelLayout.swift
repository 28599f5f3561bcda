/// Which labels fit below a plot: on a phone of 360 pixels, and where there is more room.
struct LabelLayout {
    /// On which side of its place a label stands.
    enum Side: String {
        case start, middle, end
    }

    /// The narrowest plots there are, in CSS pixels: on a phone, and from the style sheet's `wider` on.
    static let narrowWidth: Double = 236
    static let wideWidth: Double = 320
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

    /// The side on which a label does not leave a plot of that width.
    static func side(of label: ColumnPlot.Label, in plotWidth: Double) -> Side {
        let half = width(label) / 2
        let place = label.place * plotWidth
        if place - half < 0 { return .start }
        return place + half > plotWidth ? .end : .middle
    }

    private static func fits(_ labels: [ColumnPlot.Label], in plotWidth: Double) -> Bool {
        guard labels.count > 1 else { return false }
        var end = -space
        for label in labels {
            let place = label.place * plotWidth
            let start: Double
            switch side(of: label, in: plotWidth) {
            case .start: start = place
            case .middle: start = place - width(label) / 2
            case .end: start = place - width(label)
            }
            if start < end + space || start < 0 || start + width(label) > plotWidth { return false }
            end = start + width(label)
        }
        return true
    }

    private static func width(_ label: ColumnPlot.Label) -> Double { Double(label.text.count) * characterWidth }
}
