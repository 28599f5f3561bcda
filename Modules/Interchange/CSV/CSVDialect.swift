/// The syntax of a CSV or TSV file.
public struct CSVDialect: Sendable, Hashable {
    /// The separator between two fields; if it is `nil`, it is detected from the beginning of the file, which may
    /// contain `sep=;`.
    public var separator: CSVSeparator?
    /// The character that encloses fields with separators or line breaks; `nil` if the file has no quotes.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// The escape character, which makes the next character literal, as in `\"`; `nil` if the file has none.
    ///
    /// An unquoted field that equals a null token, such as `\N`, is still null.
    public var escape: UInt8?
    /// A Boolean value that indicates whether a quote inside a quoted field is written as two quotes.
    ///
    /// If it is `false`, any quote that does not follow the ``escape`` character ends the quoted field.
    public var doublesQuotes = true
    /// A Boolean value that indicates whether the first line contains the column names.
    public var hasHeader = true
    /// A Boolean value that indicates whether a file without a header may begin with one nevertheless.
    ///
    /// If the first record equals ``columns``, it is read as the header. Set this property if several files are parts
    /// of one file, of which only the first has a header.
    public var mayHaveHeader = false
    /// The numbers of the rows that contain the column names, in ascending order; the first row of the file is row 1.
    ///
    /// If the list is empty, the first row that is neither blank nor skipped contains the column names. Otherwise every
    /// line up to the last listed row counts as a row, including blank lines and comments. Rows between the listed rows
    /// are skipped.
    public var headerRows: [Int] = []
    /// The text that joins the parts of a column name from several header rows.
    public var headerJoin = " "
    /// The numbers of the rows that are skipped, in ascending order, independent of their content.
    ///
    /// The first row after ``skippedLines`` is row 1. The header, comments, blank lines and records count as rows; a
    /// record is one row even if it spans several lines.
    public var commentRows: [Int] = []
    /// A Boolean value that indicates whether spaces and tabs at the beginning of a field are ignored, also before a
    /// quote.
    public var skipsInitialSpace = false
    /// The column names of the file; they replace the names in the header, or name the columns of a file without a
    /// header.
    public var columns: [String]?
    /// The count of physical lines at the beginning of the file that are skipped.
    public var skippedLines = 0
    /// The text with which comment lines begin; `nil` if the file has no comments.
    public var comment: String?
    /// The encoding of the file; if it is `nil`, the encoding is UTF-8 or detected as UTF-16.
    ///
    /// UTF-16 is detected by its byte order mark or by zeros in every other byte of the file.
    public var encoding: TextEncoding?
    /// The texts of unquoted fields that mean null, in addition to the empty text.
    public var nullTokens: [String] = []
    /// A Boolean value that indicates whether spaces and tabs around unquoted fields are removed.
    public var isTrimmed = false
    /// A Boolean value that indicates whether common syntax errors of spreadsheets are accepted.
    ///
    /// The reader lists the accepted errors in ``CSVReader/repairs``:
    /// - quotes inside fields
    /// - text after a closing quote
    /// - a quote that is never closed (read as a character)
    /// - rows that are too short, or too long only by empty fields
    /// - NUL bytes (skipped)
    /// - bytes that are not UTF-8 (read as Windows-1252)
    public var isLenient = false

    /// Creates the dialect of RFC 4180, except that the separator is detected.
    public init() {}

    /// Creates the dialect of RFC 4180 with a separator.
    public init(separator: CSVSeparator) {
        self.separator = separator
    }
}

extension CSVDialect {
    /// Throws an error if two settings contradict each other.
    ///
    /// - Throws: ``InterchangeError/Code/unsupported`` if two settings contradict each other.
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

    /// Descriptions of the settings that differ from the default, by which two ways of reading a file are compared.
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
