/// A report as an HTML page.
///
/// The page consists of an overview with links, a section about the model, a section for each entity, and a table of
/// many-to-many relationships. A section about a model of a single entity without relationships is omitted.
struct ReportPage {
    let title: String
    let model: ModelSummary
    let entities: [EntitySummary]
    let joins: [JoinSummary]

    /// The content security policy: the browser loads no resources and runs no scripts, whatever the data contains.
    private static let policy = "default-src 'none'; style-src 'unsafe-inline'"

    /// The text of the page.
    var html: String {
        var markup = Markup()
        markup.verbatim("<!DOCTYPE html>\n")
        markup.element("html", attributes: ["lang": "en"]) { markup in
            writeHead(to: &markup)
            markup.line()
            markup.element("body") { markup in
                writeOverview(to: &markup)
                markup.line()
                markup.element("main") { markup in
                    if model.isWorthDrawing {
                        ModelSection(model: model).write(to: &markup)
                        markup.line()
                    }
                    for (index, entity) in entities.enumerated() {
                        EntitySection(id: "e\(index + 1)", entity: entity).write(to: &markup)
                        markup.line()
                    }
                    if !joins.isEmpty { writeJoins(to: &markup) }
                }
                markup.line()
                markup.element("footer") { markup in
                    markup.element(
                        "p",
                        text: "All figures show one state of the store. Dates are in UTC. "
                            + "This page needs neither a network nor scripts.")
                }
            }
        }
        return markup.html + "\n"
    }

    /// Writes the head of the page with the security policy and the style sheet.
    private func writeHead(to markup: inout Markup) {
        markup.element("head") { markup in
            markup.empty("meta", ["charset": "utf-8"])
            markup.empty("meta", ["http-equiv": "Content-Security-Policy", "content": Self.policy])
            markup.empty("meta", ["name": "viewport", "content": "width=device-width, initial-scale=1"])
            markup.empty("meta", ["name": "color-scheme", "content": "light dark"])
            markup.element("title", text: title)
            markup.element("style") { $0.verbatim(Stylesheet.css) }
        }
    }

    /// Writes the title and a table of the entities with their counts of rows.
    private func writeOverview(to markup: inout Markup) {
        let rows = entities.reduce(0) { $0 + $1.rowCount }
        let most = entities.map(\.rowCount).max() ?? 0
        markup.element("header") { markup in
            markup.element("h1") { $0.data(title) }
            markup.element(
                "p", ["class": "lead"],
                text: rows == 0
                    ? "The store is empty."
                    : NumberText.count(rows, singular: "row") + " of "
                        + NumberText.count(entities.count, singular: "entity", plural: "entities") + "."
            )
            markup.element("nav", attributes: ["aria-label": "Entities"]) { markup in
                DataTable(["Entity", "Rows", "Share"], bars: true).write(to: &markup) { table in
                    for (index, entity) in entities.enumerated() {
                        table.row(
                            link: "#e\(index + 1)", entity.name,
                            [
                                NumberText.count(entity.rowCount), NumberText.share(entity.rowCount, of: rows),
                            ], bar: Share.percent(entity.rowCount, of: most))
                    }
                }
            }
        }
    }

    /// Writes a table of the many-to-many relationships with their counts of join rows.
    private func writeJoins(to markup: inout Markup) {
        markup.element("section", attributes: ["aria-labelledby": "links"]) { markup in
            markup.element("h2", ["id": "links"], text: "Many-to-many relationships")
            DataTable(["From", "Relationship", "To", "Pairs"], texts: 3).write(to: &markup) { table in
                for join in joins {
                    table.row(join.source, [join.name, join.target, NumberText.count(join.count)])
                }
            }
        }
    }
}
