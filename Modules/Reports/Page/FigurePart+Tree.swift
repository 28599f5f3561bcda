extension FigurePart {
    /// The maximum number of children that are shown initially; if there are more, most parents are folded.
    private static let mostUnfolded = 40
    private static let unfoldedParents = 2

    /// Writes parents and their children as nested lists.
    func write(_ summary: TreeSummary, to markup: inout Markup) {
        let about = summary.isExact ? "" : "about "
        let children = NumberText.count(
            summary.childCount + summary.orphanCount, singular: "\(summary.childEntity) row")
        var sentences = [
            "\(NumberText.count(summary.childCount)) of \(children) \(summary.childCount == 1 ? "leads" : "lead") to "
                + "\(about)\(NumberText.count(summary.parentsWithChildren)) of "
                + "\(NumberText.count(summary.allParents, singular: "\(summary.parentEntity) row"))."
        ]
        let isAll = summary.parentsWithChildren == summary.top.count && summary.isExact
        let least = NumberText.count(summary.leastListed)
        if summary.top.isEmpty, summary.childCount > 0 {
            sentences.append("None has more than \(least).")
        } else if !isAll {
            sentences.append("Shown are those with the most.")
        }
        if !summary.isExact {
            sentences.append("(That is an estimate; the counts of those with more than \(least) are exact.)")
        }
        figure(to: &markup, class: "wide", sentences) { markup in
            let shown = summary.top.reduce(0) { $0 + $1.children.count }
            let most = summary.top.map(\.count).max() ?? 0
            markup.element(
                "ul", attributes: ["class": "tree", "aria-label": "\(summary.parentEntity) and \(summary.childEntity)"]
            ) { markup in
                for (index, parent) in summary.top.enumerated() {
                    let isOpen = shown <= Self.mostUnfolded || index < Self.unfoldedParents
                    Self.branch(
                        to: &markup, parent.label, count: parent.count, of: most, children: parent.children,
                        isOpen: isOpen)
                }
                Self.writeRest(summary, to: &markup)
                if summary.orphanCount > 0 {
                    Self.branch(
                        to: &markup, nil, count: summary.orphanCount, of: max(most, summary.orphanCount),
                        children: summary.orphans,
                        isOpen: false)
                }
            }
        }
    }

    private static func writeRest(_ summary: TreeSummary, to markup: inout Markup) {
        let more = summary.parentsWithChildren - summary.top.count
        if more > 0 {
            let about = summary.isExact ? "" : "about "
            markup.element(
                "li", ["class": "more"],
                text: "and \(about)\(NumberText.count(more)) more \(summary.parentEntity) with fewer or as many")
        }
        let childless = summary.allParents - summary.parentsWithChildren
        if childless > 0, summary.isExact {
            markup.element(
                "li", ["class": "more"],
                text: "and \(NumberText.count(childless)) \(summary.parentEntity) to which none leads")
        }
    }

    /// Writes a parent and its first children; without a label, it writes the children without a parent.
    private static func branch(
        to markup: inout Markup, _ label: String?, count: Int, of most: Int, children: [String], isOpen: Bool
    ) {
        markup.element("li") { markup in
            markup.element("details", attributes: isOpen ? ["open": "open"] : [:]) { markup in
                markup.element("summary") { markup in
                    if let label {
                        markup.data(label)
                    } else {
                        markup.element("em", text: "leads to none")
                    }
                    markup.text(" ")
                    markup.element("span", ["class": "count"], text: NumberText.count(count))
                    markup.element("span", attributes: ["class": "bar", "aria-hidden": "true"]) { markup in
                        markup.element("span", attributes: ["style": "width:\(Share.percent(count, of: most))"]) { _ in
                        }
                    }
                }
                markup.element("ul") { markup in
                    for child in children { markup.element("li") { $0.data(child) } }
                    if count > children.count {
                        markup.element(
                            "li", ["class": "more"], text: "and \(NumberText.count(count - children.count)) more")
                    }
                }
            }
        }
    }
}
