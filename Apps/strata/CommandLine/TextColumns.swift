/// Lays out text for a terminal of fixed width.
enum TextColumns {
    /// The width that help is wrapped at: what every terminal shows.
    static let width = 80

    /// The widest left column; a longer entry has its description begin on the next line.
    static let widestLeft = 26

    /// Breaks words into lines of at most a width, each after the first preceded by an indentation.
    ///
    /// A word longer than a line has a line of its own and is not broken.
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

    /// Entries and their descriptions in two columns, two spaces in, one entry or more lines each.
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
