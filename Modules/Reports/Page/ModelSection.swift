/// A section of the page with a diagram of the model and a description in words.
struct ModelSection {
    let model: ModelSummary

    /// The maximum number of relationships that are described.
    private static let mostSentences = 200
    /// The maximum number of characters of a line in a box; longer lines are truncated.
    private static let mostLetters = 28

    /// Writes the section: the diagram, and a folded list of the relationships in words.
    func write(to markup: inout Markup) {
        markup.element("section", attributes: ["id": "model", "aria-labelledby": "model-name"]) { markup in
            markup.element("h2", ["id": "model-name"], text: "The model")
            if model.rest > 0 {
                let count = NumberText.count(model.boxes.count)
                markup.element(
                    "p", ["class": "muted"],
                    text: "The first \(count) entities are drawn; there are \(NumberText.count(model.rest)) more.")
            }
            markup.element("div", attributes: ["class": "scroll"]) { drawing(to: &$0) }
            if !model.links.isEmpty { writeSentences(to: &markup) }
        }
    }

    /// Writes the diagram; names of relationships are written last, above all lines and boxes.
    private func drawing(to markup: inout Markup) {
        let layout = DiagramLayout(model)
        let lines = DiagramLine.all(model, layout)
        let (width, height) = layout.size
        markup.element(
            "svg",
            attributes: [
                "class": "model", "width": "\(width)", "height": "\(height)", "viewBox": "0 0 \(width) \(height)",
                "role": "img", "aria-labelledby": "model-title model-text",
            ]
        ) { markup in
            markup.element("title", ["id": "model-title"], text: "Entities and their relationships")
            markup.element(
                "desc", ["id": "model-text"],
                text: "\(NumberText.count(model.boxes.count, singular: "entity", plural: "entities")) and "
                    + "\(NumberText.count(model.links.count, singular: "relationship")): "
                    + "\(model.boxes.map(\.name).joined(separator: ", "))."
                    + (model.links.isEmpty ? "" : " The list below the picture has the relationships in words."))
            for (link, line) in zip(model.links, lines) {
                markup.empty("path", ["class": link.isOptional ? "line optional" : "line", "d": line.path])
                markup.empty("path", ["class": "signs", "d": line.signs])
            }
            for (box, frame) in zip(model.boxes, layout.frames) { write(box, frame, to: &markup) }
            for (link, line) in zip(model.links, lines) {
                markup.element(
                    "text", ["class": "name", "x": "\(line.label.x)", "y": "\(line.label.y)"], text: Self.cut(link.name)
                )
            }
        }
    }

    private func write(_ box: ModelSummary.Box, _ frame: DiagramLayout.Frame, to markup: inout Markup) {
        markup.empty(
            "rect",
            [
                "x": "\(frame.x)", "y": "\(frame.y)", "width": "\(DiagramLayout.width)", "height": "\(frame.height)",
                "rx": "4",
            ])
        let x = "\(frame.x + 10)"
        markup.element("text", ["class": "head", "x": x, "y": "\(frame.y + 18)"], text: Self.cut(box.name))
        let lines = box.lines.map(Self.cut) + (box.rest > 0 ? ["and \(NumberText.count(box.rest)) more"] : [])
        for (number, line) in lines.enumerated() {
            let y = frame.y + DiagramLayout.headHeight + (number + 1) * DiagramLayout.lineHeight - 4
            markup.element("text", ["x": x, "y": "\(y)"], text: line)
        }
    }

    private static func cut(_ text: String) -> String {
        text.count > mostLetters ? text.prefix(mostLetters - 1) + "…" : text
    }

    private func writeSentences(to markup: inout Markup) {
        markup.element("details") { markup in
            markup.element("summary", text: "The relationships in words")
            markup.element("ul") { markup in
                for link in model.links.prefix(Self.mostSentences) {
                    markup.element("li", text: sentence(link))
                }
                let rest = model.links.count - Self.mostSentences
                if rest > 0 { markup.element("li", text: "and \(NumberText.count(rest)) more") }
            }
        }
    }

    /// Returns a description of a relationship and its inverse.
    ///
    /// An example is `Order.customer leads to one Customer, or none; back as Customer.orders to any number of Order`.
    private func sentence(_ link: ModelSummary.Link) -> String {
        let (from, to) = (model.boxes[link.from].name, model.boxes[link.to].name)
        let wanted = link.isToMany ? "any number of \(to)" : "one \(to)\(link.isOptional ? ", or none" : "")"
        guard let inverse = link.inverse else { return "\(from).\(link.name) leads to \(wanted)." }
        if link.from == link.to, inverse == link.name { return "\(from).\(link.name) leads to \(wanted), both ways." }
        let back = link.isInverseToMany ? "any number of \(from)" : "at most one \(from)"
        return "\(from).\(link.name) leads to \(wanted); back as \(to).\(inverse) to \(back)."
    }
}
