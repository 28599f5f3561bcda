extension FigurePart {
    /// The maximum number of colors whose families are unfolded initially.
    private static let mostUnfoldedColors = 60

    /// Writes the colors by hue: a ribbon, and a swatch with a name for each color.
    func write(_ summary: PaletteSummary, to markup: inout Markup) {
        let colors = NumberText.count(summary.distinctCount, singular: "color")
        let shown = NumberText.count(summary.swatches.count)
        let isAll = summary.distinctCount == summary.swatches.count
        let order = "by hue, light to dark inside each family, greys last"
        let sentence = isAll ? "All are shown, \(order)." : "Shown are \(shown) of them, drawn by lot, \(order)."
        let families = ColorFamily.allCases.compactMap { family in
            let swatches = summary.swatches.filter { $0.color.family == family }
            return swatches.isEmpty ? nil : (family: family, swatches: swatches)
        }
        let words = families.map { "\(NumberText.count($0.swatches.count)) \($0.family.name.lowercased())" }
        let values = NumberText.count(summary.count, singular: "value")
        figure(to: &markup, class: "wide", ["\(colors) in \(values). \(sentence)"] + nullSentence) { markup in
            writeRibbon(
                summary.swatches.map(\.color), "\(shown) colors \(order): \(words.joined(separator: ", ")).",
                to: &markup)
            let isOpen = summary.swatches.count <= Self.mostUnfoldedColors
            for (family, swatches) in families { Self.write(family, swatches, isOpen: isOpen, to: &markup) }
        }
    }

    /// Writes a family: its name and a ribbon of its colors, and a list of the colors with their names when unfolded.
    private static func write(
        _ family: ColorFamily, _ swatches: [PaletteSummary.Swatch], isOpen: Bool, to markup: inout Markup
    ) {
        markup.element("details", attributes: isOpen ? ["class": "family", "open": "open"] : ["class": "family"]) {
            markup in
            markup.element("summary") { markup in
                markup.text(family.name + " ")
                markup.element("small", text: NumberText.count(swatches.count))
                markup.element("span", attributes: ["class": "ribbon", "aria-hidden": "true"]) { markup in
                    for swatch in swatches {
                        markup.element("span", attributes: ["style": "background:\(swatch.color.hex)"]) { _ in }
                    }
                }
            }
            markup.element("ul", attributes: ["class": "swatches"]) { markup in
                for swatch in swatches { Self.write(swatch, to: &markup) }
            }
        }
    }

    private func writeRibbon(_ colors: [RGBColor], _ description: String, to markup: inout Markup) {
        markup.element(
            "svg",
            attributes: [
                "class": "strip", "viewBox": "0 0 \(Share.width) \(Share.height)", "preserveAspectRatio": "none",
                "role": "img", "aria-labelledby": "\(id)-title \(id)-text",
            ]
        ) { markup in
            markup.element("title", ["id": "\(id)-title"], text: "Colours of \(column.name)")
            markup.element("desc", ["id": "\(id)-text"], text: description)
            for (index, color) in colors.enumerated() {
                let left = index * Share.width / colors.count
                // Each rectangle extends to the right edge, so that there are no visible gaps; the next rectangle
                // covers the rest.
                let path = "M\(left) 0H\(Share.width)V\(Share.height)H\(left)Z"
                markup.empty("path", ["fill": color.hex, "d": path])
            }
        }
    }

    private static func write(_ swatch: PaletteSummary.Swatch, to markup: inout Markup) {
        markup.element("li") { markup in
            markup.element("span", attributes: ["class": "chip", "style": "background:\(swatch.color.hex)"]) { _ in }
            markup.element("span", attributes: ["class": "name"]) { markup in
                if let name = swatch.name {
                    markup.data(name, isCut: swatch.isCut)
                } else {
                    markup.element("span", ["class": "muted"], text: "no name")
                }
            }
            markup.element("code", text: swatch.color.hex)
            if swatch.count > 1 { markup.element("small", text: NumberText.count(swatch.count, singular: "row")) }
        }
    }
}
