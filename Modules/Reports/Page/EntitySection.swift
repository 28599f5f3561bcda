/// Writes what is said of one entity.
struct EntitySection {
    let id: String
    let entity: EntitySummary

    func write(to markup: inout Markup) {
        markup.element("section", attributes: ["id": id, "aria-labelledby": "\(id)-name"]) { markup in
            markup.element("h2", attributes: ["id": "\(id)-name"]) { markup in
                markup.data(entity.name)
                markup.text(" ")
                markup.element("small", text: NumberText.count(entity.rowCount, singular: "row"))
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

    /// The columns and how much of each is null.
    private func writeColumns(to markup: inout Markup) {
        DataTable(["Column", "Kind", "Nulls", "Share"], texts: 2, bars: true).write(to: &markup) { table in
            for column in entity.columns {
                let nulls =
                    column.isOptional || column.nullCount > 0
                    ? [NumberText.count(column.nullCount), NumberText.share(column.nullCount, of: entity.rowCount)]
                    : ["never", ""]
                table.row(
                    column.name, [column.kind] + nulls, bar: Share.percent(column.nullCount, of: entity.rowCount))
            }
        }
    }
}
