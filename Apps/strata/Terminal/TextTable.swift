import StrataPersistence

/// A table with aligned columns, truncated to the width of the terminal if there is one.
struct TextTable {
    /// The title of a column, and whether its values are numbers, which are right-aligned and never truncated.
    struct Column: Sendable, Hashable {
        let title: String
        let isNumber: Bool
    }

    /// The space between two columns.
    private static let gap = "  "
    /// The minimum width of a truncated column, which leaves a part of each value visible.
    private static let narrowest = 8

    private let columns: [Column]
    private let style: TerminalStyle
    /// The widths of the visible columns.
    private let widths: [Int]
    /// A Boolean value that indicates whether the lines have a maximum width.
    private let isCut: Bool

    /// The number of columns that do not fit.
    var hiddenCount: Int { columns.count - widths.count }

    /// Creates the layout of a table from its first rows; if a later row has a wider value, the following values of
    /// that row are shifted to the right.
    ///
    /// - Parameters:
    ///   - columns: The columns.
    ///   - rows: The first rows.
    ///   - width: The maximum width of the table, or `nil` for no maximum.
    ///   - style: The colors of the table.
    init(_ columns: [Column], for rows: [[TableCell]], width: Int?, style: TerminalStyle) {
        self.columns = columns
        self.style = style
        var widths = columns.map { DisplayWidth.of(TableCell(title: $0.title).text) }
        for row in rows {
            for (place, cell) in row.enumerated() { widths[place] = max(widths[place], Self.width(cell, style)) }
        }
        self.widths = width.map { Self.fitted(widths, columns, to: $0) } ?? widths
        isCut = width != nil
    }

    /// The line of titles.
    var header: String {
        line(columns.map { TableCell(title: $0.title) }) { cell, _ in style.bold(cell) }
    }

    /// Returns the line of a row.
    func line(_ row: [TableCell]) -> String {
        line(row) { text, cell in
            if cell.isNull { return style.dim(text) }
            return (cell.color.map(style.swatch) ?? "") + text
        }
    }

    private func line(_ row: [TableCell], _ decorated: (String, TableCell) -> String) -> String {
        var line = ""
        for (place, (cell, width)) in zip(row, widths).enumerated() {
            if place > 0 { line += Self.gap }
            let swatch = cell.color == nil ? 0 : style.swatchWidth
            let text = isCut ? DisplayWidth.cut(cell.text, to: max(0, width - swatch)) : cell.text
            let padding = String(repeating: " ", count: max(0, width - swatch - DisplayWidth.of(text)))
            let shown = text.isEmpty ? "" : decorated(text, cell)
            let isLast = place == widths.count - 1
            line += columns[place].isNumber ? padding + shown : shown + (isLast ? "" : padding)
        }
        return line
    }

    private static func width(_ cell: TableCell, _ style: TerminalStyle) -> Int {
        DisplayWidth.of(cell.text) + (cell.color == nil ? 0 : style.swatchWidth)
    }

    /// Returns the widths of columns that fit into a width: narrows the widest columns, and omits the last columns if
    /// necessary.
    private static func fitted(_ natural: [Int], _ columns: [Column], to width: Int) -> [Int] {
        var count = natural.count
        while count > 0 {
            let room = width - gap.count * (count - 1)
            func widths(atMost most: Int) -> [Int] {
                (0..<count).map { columns[$0].isNumber ? natural[$0] : min(natural[$0], most) }
            }
            func fits(_ widths: [Int]) -> Bool { widths.reduce(0, +) <= room }
            if fits(Array(natural[..<count])) { return Array(natural[..<count]) }
            if fits(widths(atMost: narrowest)) {
                var most = narrowest
                while fits(widths(atMost: most + 1)) { most += 1 }
                return widths(atMost: most)
            }
            count -= 1
        }
        // Not even one column fits, so the first column is truncated to the available width.
        return [max(1, width)]
    }
}
