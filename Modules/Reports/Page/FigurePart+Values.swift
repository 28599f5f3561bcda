extension FigurePart {
    /// Writes the shares of true and false as one bar.
    func write(_ trueCount: Int, _ falseCount: Int, to markup: inout Markup) {
        let count = trueCount + falseCount
        let shares = [("true", trueCount), ("false", falseCount)]
        let words = shares.map { name, part in
            "\(name) in \(NumberText.count(part, singular: "row")) (\(NumberText.share(part, of: count)))"
        }.joined(separator: ", ")
        figure(
            to: &markup,
            ["\(NumberText.count(count, singular: "value")); true is on the left, false on the right."]
                + nullSentence
        ) { markup in
            markup.element(
                "svg",
                attributes: [
                    "class": "strip", "viewBox": "0 0 \(Share.width) \(Share.height)", "preserveAspectRatio": "none",
                    "role": "img", "aria-labelledby": "\(id)-title \(id)-text",
                ]
            ) { markup in
                markup.element("title", ["id": "\(id)-title"], text: "Truth of \(column.name)")
                markup.element("desc", ["id": "\(id)-text"], text: "One bar: \(words).")
                let border = Int((Double(trueCount) / Double(count) * Double(Share.width)).rounded())
                markup.empty("path", ["class": "bars", "d": "M0 0H\(border)V\(Share.height)H0Z"])
                markup.empty("path", ["class": "pale", "d": "M\(border) 0H\(Share.width)V\(Share.height)H\(border)Z"])
            }
            DataTable(["Value", "Rows", "Share"]).write(to: &markup) { table in
                for (name, part) in shares {
                    table.row(name, [NumberText.count(part), NumberText.share(part, of: count)])
                }
            }
        }
    }

    /// Writes the most frequent texts.
    func write(_ summary: TextSummary, to markup: inout Markup) {
        let about = summary.isExact ? "" : "about "
        let values = NumberText.count(summary.count, singular: "text")
        if summary.isExact, summary.distinctCount == summary.count, summary.count > summary.top.count {
            return figure(to: &markup, ["\(values), no two the same."] + nullSentence) { _ in }
        }
        var sentences = ["\(values), \(about)\(NumberText.count(summary.distinctCount)) of them different."]
        if summary.top.isEmpty {
            sentences.append("None occurs more than \(NumberText.count(summary.leastListed, singular: "time")).")
            return figure(to: &markup, sentences + nullSentence) { _ in }
        }
        if !summary.isExact {
            let least = NumberText.count(summary.leastListed, singular: "time")
            sentences.append(
                "(That is an estimate; every text that occurs more than \(least) was counted exactly.)")
        }
        sentences += nullSentence
        if summary.distinctCount > summary.top.count { sentences.append("Those that occur most often:") }
        figure(to: &markup, sentences) { markup in
            let most = summary.top.map(\.count).max() ?? 0
            DataTable(["Text", "Rows", "Share"], bars: true).write(to: &markup) { table in
                for value in summary.top {
                    table.row(
                        value.text.isEmpty ? "(empty)" : value.text, isCut: value.isCut,
                        [NumberText.count(value.count), NumberText.share(value.count, of: summary.count)],
                        bar: Share.percent(value.count, of: most))
                }
            }
        }
    }
}
