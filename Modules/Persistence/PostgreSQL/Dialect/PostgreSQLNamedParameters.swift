#if PostgreSQL
/// The text of a query in which numbered parameters, as in `$1`, replace named ones, as in `:name`, and in which the
/// aggregates of a session have their schema.
///
/// A colon in a string, in a name, in a comment or in a cast begins no parameter
/// (postgresql.org/docs/15/sql-syntax-lexical.html).
struct PostgreSQLNamedParameters {
    /// The text with numbered parameters.
    private(set) var sql = ""
    /// The different names of the parameters; the first one has the number 1.
    private(set) var names: [String] = []

    /// A Boolean value that indicates whether the given text itself contains a numbered parameter.
    private(set) var hasNumbers = false

    /// A Boolean value that indicates whether the text calls an aggregate of the session, which needs a prefix.
    private(set) var usesAggregates = false

    /// The aggregates that a query can call; the server finds functions of a session only by their schema.
    private static let aggregates: Set<String> = ["decimal_sum", "decimal_avg"]

    private let scalars: [Unicode.Scalar]
    private var place = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
        while place < scalars.count { readPart() }
    }

    private func isAt(_ text: String) -> Bool { scalars[place...].starts(with: text.unicodeScalars) }

    private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.value > 127 || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }

    /// Appends the next scalars to ``sql``; fewer at the end of the text.
    private mutating func copy(_ count: Int) {
        let end = min(place + count, scalars.count)
        sql.unicodeScalars.append(contentsOf: scalars[place..<end])
        place = end
    }

    private mutating func copy(through end: String) {
        while place < scalars.count, !isAt(end) { copy(1) }
        copy(end.unicodeScalars.count)
    }

    private mutating func readPart() {
        switch scalars[place] {
        case "'":
            copy(1)
            copy(through: "'")
        case "\"":
            copy(1)
            copy(through: "\"")
        case "-" where isAt("--"): copy(through: "\n")
        case "/" where isAt("/*"): copyComment()
        case "$": copyDollarQuoted()
        case ":" where isAt("::"): copy(2)
        case ":": readParameter()
        case let scalar where Self.isOfName(scalar):
            let start = place
            let isPrefixed = start > 0 && scalars[start - 1] == "."
            let word = scalars[start...].prefix(while: Self.isOfName)
            let next = scalars[word.endIndex...].first { !$0.properties.isWhitespace }
            if !isPrefixed, next == "(", Self.aggregates.contains(String(String.UnicodeScalarView(word)).lowercased()) {
                usesAggregates = true
                sql += "pg_temp."
            }
            // A dollar sign inside a name begins no string.
            while place < scalars.count, Self.isOfName(scalars[place]) || scalars[place] == "$" { copy(1) }
            let isEscaped = place == start + 1 && (scalar == "e" || scalar == "E")
            if isEscaped, place < scalars.count, scalars[place] == "'" { copyEscapedString() }
        default: copy(1)
        }
    }

    /// Copies a string in which a backslash precedes a quote that belongs to it.
    private mutating func copyEscapedString() {
        copy(1)
        while place < scalars.count, scalars[place] != "'" { copy(scalars[place] == "\\" ? 2 : 1) }
        copy(1)
    }

    /// Copies a comment, which can contain other comments.
    private mutating func copyComment() {
        var depth = 0
        repeat {
            if isAt("/*") {
                depth += 1
                copy(2)
            } else if isAt("*/") {
                depth -= 1
                copy(2)
            } else {
                copy(1)
            }
        } while depth > 0 && place < scalars.count
    }

    /// Copies a string such as `$tag$text$tag$`, or a dollar sign that begins no string.
    private mutating func copyDollarQuoted() {
        let tag = scalars[(place + 1)...].prefix(while: Self.isOfName)
        let isNumber = tag.first.map { ("0"..."9").contains($0) } ?? false
        if isNumber { hasNumbers = true }
        guard !isNumber, tag.endIndex < scalars.count, scalars[tag.endIndex] == "$" else { return copy(1) }
        let quote = scalars[place...tag.endIndex].reduce(into: "") { $0.unicodeScalars.append($1) }
        copy(quote.unicodeScalars.count)
        copy(through: quote)
    }

    private mutating func readParameter() {
        let name = scalars[(place + 1)...].prefix(while: Self.isOfName)
        guard let first = name.first, !("0"..."9").contains(first) else { return copy(1) }
        place = name.endIndex
        let text = name.reduce(into: "") { $0.unicodeScalars.append($1) }
        let number = names.firstIndex(of: text) ?? names.count
        if number == names.count { names.append(text) }
        sql += "$\(number + 1)"
    }
}
#endif
