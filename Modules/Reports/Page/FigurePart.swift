/// A figure of one column of an entity.
///
/// Each kind of figure has an extension in a file of its own. A figure consists of a caption in words, a picture, and
/// usually a table with the numbers of the picture, so that no information is only in the picture.
struct FigurePart {
    /// The figure's identifier on the page, which is unique.
    let id: String
    let entity: EntitySummary
    let column: ColumnSummary

    /// Writes the figure, or nothing for a column without a figure.
    func write(to markup: inout Markup) {
        switch column.figure {
        case .none: writeNothing(to: &markup)
        case .numbers(let summary): write(summary, to: &markup)
        case .dates(let summary): write(summary, to: &markup)
        case .datesBeyond(let count): figure(to: &markup, [Self.beyond(count)] + nullSentence) { _ in }
        case .timesOfDay(let summary): write(summary, to: &markup)
        case .booleans(let trueCount, let falseCount): write(trueCount, falseCount, to: &markup)
        case .texts(let summary): write(summary, to: &markup)
        case .palette(let summary): write(summary, to: &markup)
        case .tree(let summary): write(summary, to: &markup)
        }
    }

    /// Writes a figure with a caption, which contains the name of the column and sentences, and the picture.
    func figure(
        to markup: inout Markup, class style: String = "", _ sentences: [String],
        _ body: (inout Markup) -> Void
    ) {
        markup.line()
        markup.element("figure", attributes: ["id": id, "class": style]) { markup in
            markup.element("figcaption") { markup in
                markup.element("h3") { $0.data(column.name) }
                markup.element("p", text: sentences.joined(separator: " "))
            }
            body(&markup)
        }
    }

    /// Writes the numbers of a picture as a folded table.
    func details(
        to markup: inout Markup, _ table: DataTable, _ body: (inout DataTable.Rows) -> Void
    ) {
        markup.element("details") { markup in
            markup.element("summary") { markup in
                markup.text("The numbers of ")
                markup.data(column.name)
            }
            table.write(to: &markup, body)
        }
    }

    /// Writes a sentence if the column has only nulls; identifiers and bytes are only in the table of columns.
    private func writeNothing(to markup: inout Markup) {
        guard column.nullCount == entity.rowCount else { return }
        figure(to: &markup, ["Every value is null."]) { _ in }
    }

    /// The sentence on the null values, which are not drawn.
    var nullSentence: [String] {
        guard column.nullCount > 0 else { return [] }
        let share = NumberText.share(column.nullCount, of: entity.rowCount)
        return [
            "\(NumberText.count(column.nullCount, singular: "row is", plural: "rows are")) null (\(share)) and not drawn."
        ]
    }
}
