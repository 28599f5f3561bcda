/// A picture of columns: an SVG that stretches, and labels of HTML around it, which do not shrink with a phone's width.
struct ColumnPlot {
    /// A label below the columns.
    struct Label: Equatable {
        /// How far to the right, from 0 to 1.
        let place: Double
        let text: String
    }

    /// A part of the page's identifiers, unique in it.
    let id: String
    let title: String
    /// What is seen, in words.
    let description: String
    let counts: [Int]
    let labels: [Label]
    /// Where a line marks the median, from 0 to 1; nil for none.
    var median: Double?

    /// With more columns there are no gaps between them.
    private static let mostWithGaps = 100
    /// Of a column's width.
    private static let gap = 0.12
    /// The height of the lowest column that is not empty: it is to be seen.
    private static let leastHeight = 6

    func write(to markup: inout Markup) {
        let scale = CountScale(counts.max() ?? 0)
        let gutter = (scale.ticks.map { NumberText.count($0).count }.max() ?? 1) + 1
        markup.element("div", ["class": "plot", "style": "--gutter:\(gutter)ch"]) { markup in
            markup.element("div", ["class": "y", "aria-hidden": "true"]) { markup in
                for tick in scale.ticks {
                    let place = Share.percent(tick, of: scale.top)
                    markup.element("span", ["style": "bottom:\(place)"], text: NumberText.count(tick))
                }
            }
            writePicture(scale, to: &markup)
            markup.element("div", ["class": "x", "aria-hidden": "true"]) { markup in
                for label in labels {
                    let side = LabelLayout.side(of: label)
                    markup.element(
                        "span", ["class": side.rawValue, "style": "left:\(Share.percent(label.place))"],
                        text: label.text)
                }
            }
        }
    }

    private func writePicture(_ scale: CountScale, to markup: inout Markup) {
        markup.element(
            "svg",
            [
                "viewBox": "0 0 \(Share.width) \(Share.height)", "preserveAspectRatio": "none", "role": "img",
                "aria-labelledby": "\(id)-title \(id)-text",
            ]
        ) { markup in
            markup.element("title", ["id": "\(id)-title"], text: title)
            markup.element("desc", ["id": "\(id)-text"], text: description)
            var grid = ""
            for tick in scale.ticks {
                grid += "M0 \(Share.height - scale.height(of: tick))H\(Share.width)"
            }
            markup.empty("path", ["class": "grid", "d": grid])
            markup.empty("path", ["class": "bars", "d": bars(scale)])
            if let median {
                let place = Int((median * Double(Share.width)).rounded())
                markup.empty("path", ["class": "median", "d": "M\(place) 0V\(Share.height)"])
            }
        }
    }

    private func bars(_ scale: CountScale) -> String {
        let width = Double(Share.width) / Double(counts.count)
        let gap = counts.count > Self.mostWithGaps ? 0 : width * Self.gap / 2
        var path = ""
        for (index, count) in counts.enumerated() where count > 0 {
            let left = Int((Double(index) * width + gap).rounded())
            let right = Int((Double(index + 1) * width - gap).rounded())
            let top = Share.height - max(Self.leastHeight, scale.height(of: count))
            path += "M\(left) \(Share.height)V\(top)H\(right)V\(Share.height)Z"
        }
        return path
    }
}

/// A scale from zero with round numbers, few of them.
struct CountScale: Equatable {
    private static let mostSteps = 4

    /// The round numbers, from 0 to ``top``.
    let ticks: [Int]
    /// The greatest of them, at least the greatest count, and at least 1.
    let top: Int

    init(_ greatest: Int) {
        var step = 1
        var factors = [2, 5, 10]
        var power = 1
        while (greatest + step - 1) / step > Self.mostSteps {
            step = factors.removeFirst() * power
            if factors.isEmpty {
                factors = [2, 5, 10]
                power *= 10
            }
        }
        let count = max(1, (greatest + step - 1) / step)
        ticks = (0...count).map { $0 * step }
        top = count * step
    }

    /// A count's height in the picture's coordinates.
    func height(of count: Int) -> Int {
        Int((Double(count) / Double(top) * Double(Share.height)).rounded())
    }
}

/// Which labels fit below the narrowest plot there is, on a phone of 360 pixels.
enum LabelLayout {
    /// On which side of its place a label stands.
    enum Side: String {
        case start, middle, end
    }

    /// In pixels, which are a 96th of an inch.
    private static let plotWidth: Double = 236
    private static let characterWidth = 7.0
    private static let space = 8.0

    /// The side on which a label does not leave the plot.
    static func side(of label: ColumnPlot.Label) -> Side {
        let half = width(label) / 2
        let place = label.place * plotWidth
        if place - half < 0 { return .start }
        return place + half > plotWidth ? .end : .middle
    }

    /// The first of several lists of labels that fits; where none does, the first label of the last.
    static func fitting(_ lists: [[ColumnPlot.Label]]) -> [ColumnPlot.Label] {
        lists.first(where: fits) ?? Array((lists.last ?? []).prefix(1))
    }

    private static func fits(_ labels: [ColumnPlot.Label]) -> Bool {
        guard labels.count > 1 else { return false }
        var end = -space
        for label in labels {
            let place = label.place * plotWidth
            let start: Double
            switch side(of: label) {
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
