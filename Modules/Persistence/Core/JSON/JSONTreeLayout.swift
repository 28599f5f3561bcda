/// The layout of a JSON document for people: an indent of two spaces for each level, and short values on one line.
package struct JSONTreeLayout: Sendable {
    /// A Boolean value that indicates whether an object on one line has a space inside its braces.
    package var padsBraces: Bool
    /// A Boolean value that indicates whether U+007F, which no terminal displays, is written as an escape.
    package var escapesDelete: Bool
    /// A closure that returns whether an object or a list may be written on one line.
    package var fitsOnOneLine: @Sendable (Candidate) -> Bool

    /// An object or a list that may be written on one line, with its position in the output.
    package struct Candidate {
        package let value: JSONValue
        /// The count of objects and lists in the document that contain the candidate.
        package let depth: Int
        /// The count of bytes before the candidate on its line.
        package let used: Int
        /// The count of bytes that the candidate needs on one line; computed at each access.
        package var width: Int { line().utf8.count }

        let line: () -> String
    }

    package init(padsBraces: Bool, escapesDelete: Bool, fitsOnOneLine: @escaping @Sendable (Candidate) -> Bool) {
        self.padsBraces = padsBraces
        self.escapesDelete = escapesDelete
        self.fitsOnOneLine = fitsOnOneLine
    }
}
