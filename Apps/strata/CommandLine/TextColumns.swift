/// A layout of text for a terminal of fixed width.
enum TextColumns {
    /// The width of the help in columns, which fits every terminal.
    static let width = 80

    /// The maximum width of the left column; the description of a longer entry begins on the next line.
    static let widestLeft = 26

    /// Returns words as lines of at most a width; each line after the first begins with an indentation.
    ///
    /// A word that is longer than a line is not broken; it is on a line of its own.
    static func wrapped(_ words: [String], indentation: Int, width: Int = width) -> String {
        var lines: [String] = []
        var line = ""
        for word in words {
            if line.isEmpty {
                line = word
            } else if indentation + line.count + 1 + word.count <= width {
                line += " " + word
            } else {
                lines.append(line)
                line = word
            }
        }
        lines.append(line)
        return lines.joined(separator: "\n" + spaces(indentation))
    }

    /// Returns entries and their descriptions in two columns, indented by two spaces.
    static func rows(_ rows: [(left: String, right: String)]) -> String {
        let left = rows.map(\.left.count).filter { $0 <= widestLeft }.max() ?? widestLeft
        let indentation = 2 + left + 2
        return rows.map { row in
            let text = wrapped(row.right.split(separator: " ").map(String.init), indentation: indentation)
            let gap = row.left.count <= left ? spaces(left - row.left.count + 2) : "\n" + spaces(indentation)
            return spaces(2) + row.left + gap + text
        }.joined(separator: "\n")
    }

    private static func spaces(_ count: Int) -> String { String(repeating: " ", count: max(count, 0)) }
}
