/// A table of texts and numbers, with optional bars next to the numbers.
struct DataTable {
    private let headings: [String]
    /// The number of text columns, which come first; the other columns are right-aligned numbers.
    private let texts: Int
    private let hasBars: Bool

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - headings: The headings of the columns, without the column of bars.
    ///   - texts: The number of text columns, which come first.
    ///   - bars: A Boolean value that indicates whether each row ends with a bar.
    init(_ headings: [String], texts: Int = 1, bars: Bool = false) {
        self.headings = headings
        self.texts = texts
        hasBars = bars
    }

    /// Writes the table with the rows that `body` adds.
    func write(to markup: inout Markup, _ body: (inout Rows) -> Void) {
        // A table that is too wide scrolls in its own frame. Browsers make the frame reachable by keyboard if
        // necessary.
        markup.element("div", attributes: ["class": texts > 1 ? "scroll dense" : "scroll"]) { markup in
            markup.element("table") { markup in
                markup.element("thead") { markup in
                    markup.element("tr") { markup in
                        for (index, heading) in headings.enumerated() {
                            markup.element("th", ["scope": "col", "class": style(index)], text: heading)
                        }
                        if hasBars { markup.empty("td", ["class": "bar"]) }
                    }
                }
                markup.element("tbody") { markup in
                    var rows = Rows(table: self, markup: markup)
                    body(&rows)
                    markup = rows.markup
                }
            }
        }
    }

    /// Returns the style of a column.
    private func style(_ index: Int) -> String { index < texts ? "text" : "number" }

    /// The rows of a table that is being written.
    struct Rows {
        fileprivate let table: DataTable
        fileprivate var markup: Markup

        /// Adds a row with a heading, which may be data, and the other cells.
        ///
        /// - Parameters:
        ///   - link: The target of the heading's link, inside the page.
        ///   - heading: The first cell.
        ///   - isCut: A Boolean value that indicates whether the heading is the beginning of a longer text.
        ///   - cells: The other cells.
        ///   - bar: The width of the row's bar, in CSS.
        mutating func row(
            link: String? = nil, _ heading: String, isCut: Bool = false, _ cells: [String], bar: String? = nil
        ) {
            markup.element("tr") { markup in
                markup.element("th", attributes: ["scope": "row", "class": "text"]) { markup in
                    if let link {
                        markup.element("a", attributes: ["href": link]) { $0.data(heading, isCut: isCut) }
                    } else {
                        markup.data(heading, isCut: isCut)
                    }
                }
                for (index, cell) in cells.enumerated() {
                    markup.element("td", ["class": table.style(index + 1)], text: cell)
                }
                if table.hasBars {
                    markup.element("td", attributes: ["class": "bar", "aria-hidden": "true"]) { markup in
                        markup.element("span", attributes: ["style": "width:\(bar ?? "0")"]) { _ in }
                    }
                }
            }
        }
    }
}
