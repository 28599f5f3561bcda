/// The syntax of a file of separated fields.
public struct CSVDialect: Sendable, Hashable {
    /// The separator between two fields; `nil` to detect it from the beginning of the file, which may contain `sep=;`.
    public var separator: CSVSeparator?
    /// The character around fields that contain separators or line breaks; `nil` for files without quotes.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// The escape character, which makes the next character literal, as in `\"`; `nil` for files without one.
    ///
    /// An unquoted field that equals a null token, such as `\N`, is still null.
    public var escape: UInt8?
    /// A Boolean value that indicates whether a quote inside quotes is doubled.
    ///
    /// If it is `false`, any quote that does not follow ``escape`` ends the quoted text.
    public var doublesQuotes = true
    /// A Boolean value that indicates whether the first line contains the column names.
    public var hasHeader = true
    /// A Boolean value that indicates whether a file without a header may still have one.
    ///
    /// If the first record equals ``columns``, it is read as the header. This is useful for files that are parts of one
    /// file.
    public var mayHaveHeader = false
    /// The numbers of the rows that contain the column names, from 1 and ascending.
    ///
    /// If the list is empty, the first row that is neither blank nor skipped contains the names. Up to the last listed
    /// row every line counts as a row, including blank lines and comments. Rows between the listed rows are skipped.
    public var headerRows: [Int] = []
    /// The text between the parts of a column name that is spread over several rows.
    public var headerJoin = " "
    /// The numbers of rows that are skipped, from 1 and ascending, whatever they contain.
    ///
    /// All rows after ``skippedLines`` count: the header, comments, blank lines, and records, however many lines a
    /// record has.
    public var commentRows: [Int] = []
    /// A Boolean value that indicates whether spaces and tabs after a separator are ignored, also before a quote.
    public var skipsInitialSpace = false
    /// The column names; they replace the names of the header, or provide names for a file without a header.
    public var columns: [String]?
    /// The count of physical lines before the header or the first record that are not part of the table.
    public var skippedLines = 0
    /// The text at the beginning of comment lines; `nil` if the file has no comments.
    public var comment: String?
    /// The encoding; `nil` for UTF-8 or a detected UTF-16.
    ///
    /// UTF-16 is detected by its byte order mark or by zeros in every other byte.
    public var encoding: TextEncoding?
    /// Unquoted field texts that mean null, in addition to the empty text.
    public var nullTokens: [String] = []
    /// A Boolean value that indicates whether spaces and tabs around unquoted fields are removed.
    public var isTrimmed = false
    /// A Boolean value that indicates whether common errors of spreadsheets are accepted.
    ///
    /// The reader lists the accepted errors in ``CSVReader/repairs``:
    /// - quotes inside fields
    /// - text after a closing quote
    /// - a quote that is never closed (read as a character)
    /// - rows that are too short, or too long only by empty fields
    /// - NUL bytes (skipped)
    /// - bytes that are not UTF-8 (read as Windows-1252)
    public var isLenient = false

    /// Creates the dialect of RFC 4180, with a separator that is detected.
    public init() {}

    /// Creates the dialect of RFC 4180 with a separator.
    public init(separator: CSVSeparator) {
        self.separator = separator
    }
}

extension CSVDialect {
    /// Throws if two settings contradict each other.
    ///
    /// - Throws: ``InterchangeError/Code/unsupported``.
    public func check() throws(InterchangeError) {
        func refuse(_ message: String) throws(InterchangeError) {
            throw InterchangeError(.unsupported, message: message)
        }
        if let quote, quote == separator?.byte { try refuse("the separator and the quote are the same character") }
        if let escape {
            if escape == separator?.byte { try refuse("the separator and the escape character are the same") }
            if escape == quote {
                try refuse("the quote and the escape character are the same; use doubled quotes instead")
            }
            guard escape < 0x80, ![0, UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains(escape) else {
                return try refuse("an escape character must be an ASCII character other than a line break")
            }
        }
        if isLenient, escape != nil || !doublesQuotes {
            try refuse(
                "files with escape characters or quotes that are not doubled cannot be repaired")
        }
        for rows in [headerRows, commentRows]
        where zip(rows, rows.dropFirst()).contains(where: { $0 >= $1 }) || rows.first ?? 1 < 1 {
            try refuse("row numbers must be ascending and begin with 1 or more")
        }
        if let both = commentRows.first(where: headerRows.contains) {
            try refuse("row \(both) is both a header row and a comment row")
        }
        if !headerRows.isEmpty, !hasHeader { try refuse("header rows require a header") }
    }

    /// Descriptions of the settings that differ from common files, to compare two readings.
    var unusualParts: [String] {
        var parts: [String] = []
        if let escape { parts.append("escape \(escape)") }
        if !doublesQuotes { parts.append("single quotes") }
        if mayHaveHeader { parts.append("may have a header") }
        if !headerRows.isEmpty { parts.append("header rows \(headerRows) joined by \(headerJoin)") }
        if !commentRows.isEmpty { parts.append("comment rows \(commentRows)") }
        if skipsInitialSpace { parts.append("initial space") }
        return parts
    }
}
