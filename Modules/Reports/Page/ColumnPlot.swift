/// A column chart: a scalable SVG, surrounded by HTML labels that do not shrink on a narrow screen.
///
/// The SVG is stretched to the width of the page, so it contains no visible text. It has a title and a description for
/// screen readers; the labels are hidden from them, because the numbers are also in a table.
struct ColumnPlot {
    /// A label below the columns.
    struct Label: Equatable {
        /// The horizontal position, from 0 (left) to 1 (right).
        let place: Double
        let text: String
    }

    /// The chart's part of the identifiers on the page, which is unique.
    let id: String
    /// The title for screen readers.
    let title: String
    /// A description of the chart in words.
    let description: String
    /// The heights of the columns; a column of 0 is not drawn.
    let counts: [Int]
    /// The labels below the chart, for narrow and for wide screens.
    let labels: LabelLayout
    /// The position of the median line, from 0 to 1, or `nil` for no line.
    var median: Double?

    /// The maximum number of columns that are drawn with gaps between them.
    private static let mostWithGaps = 100
    /// The gap as a fraction of a column's width.
    private static let gap = 0.12
    /// The minimum height of a column that is not empty, so that the column is visible.
    private static let leastHeight = 6

    /// Writes the chart with its labels.
    func write(to markup: inout Markup) {
        let scale = CountScale(counts.max() ?? 0)
        let gutter = (scale.ticks.map { NumberText.count($0).count }.max() ?? 1) + 1
        markup.element("div", attributes: ["class": "plot", "style": "--gutter:\(gutter)ch"]) { markup in
            markup.element("div", attributes: ["class": "y", "aria-hidden": "true"]) { markup in
                for tick in scale.ticks {
                    let place = Share.percent(tick, of: scale.top)
                    markup.element("span", ["style": "bottom:\(place)"], text: NumberText.count(tick))
                }
            }
            writePicture(scale, to: &markup)
            Self.write(labels.narrow, class: "x narrow", to: &markup)
            Self.write(labels.wide, class: "x wider", to: &markup)
        }
    }

    /// Writes the labels for one width of the screen; the style sheet shows only those that fit.
    private static func write(_ labels: [Label], class style: String, to markup: inout Markup) {
        markup.element("div", attributes: ["class": style, "aria-hidden": "true"]) { markup in
            for label in labels {
                let half = "\(label.text.count * 5 / 10).\(label.text.count * 5 % 10)ch"
                let place = Share.percent(label.place)
                // A label is below its position, as far as the margins of the style sheet allow.
                markup.element(
                    "span", ["style": "left:clamp(\(half) - .75rem,\(place),100% - \(half) + .75rem)"], text: label.text
                )
            }
        }
    }

    /// Writes the SVG: the grid, the columns, and the line of the median.
    private func writePicture(_ scale: CountScale, to markup: inout Markup) {
        markup.element(
            "svg",
            attributes: [
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
                // The line has a halo, because it crosses the columns.
                for style in ["halo", "median"] {
                    markup.empty("path", ["class": style, "d": "M\(place) 0V\(Share.height)"])
                }
            }
        }
    }

    /// Returns the path of all columns; one path is much shorter than an element for each column.
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
