/// How a JSON document is laid out for people: two spaces a level, and what is short on one line.
package struct JSONTreeLayout: Sendable {
    /// Whether there is a space inside of the braces of an object on one line.
    package var padsBraces: Bool
    /// Whether U+007F, which no terminal shows, is written as an escape.
    package var escapesDelete: Bool
    /// Whether an object or a list may stand on one line.
    package var standsOnOneLine: @Sendable (Candidate) -> Bool

    /// An object or a list that may stand on one line, where it is written.
    package struct Candidate {
        package let value: JSONValue
        /// How many objects and lists it is in.
        package let depth: Int
        /// How many bytes are before it on its line.
        package let used: Int
        /// How many bytes it takes on one line; found out when it is asked for.
        package var width: Int { line().utf8.count }

        let line: () -> String
    }

    package init(padsBraces: Bool, escapesDelete: Bool, standsOnOneLine: @escaping @Sendable (Candidate) -> Bool) {
        self.padsBraces = padsBraces
        self.escapesDelete = escapesDelete
        self.standsOnOneLine = standsOnOneLine
    }
}
