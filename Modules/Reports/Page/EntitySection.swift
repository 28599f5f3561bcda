/// A section of the page about one entity.
struct EntitySection {
    /// The section's identifier on the page, to which the overview links.
    let id: String
    let entity: EntitySummary

    /// Writes the section: the heading, the table of columns, and a figure for each column.
    func write(to markup: inout Markup) {
        markup.element("section", attributes: ["id": id, "aria-labelledby": "\(id)-name"]) { markup in
            markup.element("h2", attributes: ["id": "\(id)-name"]) { markup in
                markup.data(entity.name)
                markup.text(" ")
                markup.element("small", text: NumberText.count(entity.rowCount, singular: "row"))
            }
            for words in [entity.title, entity.explanation] {
                if let words { markup.element("p", attributes: ["class": "muted"]) { $0.data(words) } }
            }
            guard entity.rowCount > 0 else {
                markup.element("p", ["class": "muted"], text: "There are no rows, and so nothing to draw.")
                return
            }
            writeColumns(to: &markup)
            markup.element("div", attributes: ["class": "figures"]) { markup in
                for (index, column) in entity.columns.enumerated() {
                    let part = FigurePart(id: "\(id)-c\(index + 1)", entity: entity, column: column)
                    part.write(to: &markup)
                }
            }
        }
    }

    /// Returns a title, truncated to the space in a table.
    private static func short(_ title: String) -> String { title.count > 120 ? title.prefix(119) + "…" : title }

    /// Writes the table of columns with the share of nulls in each column.
    private func writeColumns(to markup: inout Markup) {
        let hasTitles = entity.columns.contains { $0.title != nil }
        let heads = ["Column"] + (hasTitles ? ["What it is"] : []) + ["Kind", "Nulls", "Share"]
        DataTable(heads, texts: hasTitles ? 3 : 2, bars: true).write(to: &markup) { table in
            for column in entity.columns {
                let nulls =
                    column.isOptional || column.nullCount > 0
                    ? [NumberText.count(column.nullCount), NumberText.share(column.nullCount, of: entity.rowCount)]
                    : ["never", ""]
                table.row(
                    column.name, (hasTitles ? [Self.short(column.title ?? "")] : []) + [column.kind] + nulls,
                    bar: Share.percent(column.nullCount, of: entity.rowCount))
            }
        }
    }
}
