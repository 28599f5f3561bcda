/// The ways in which files of separated fields differ.
public struct CSVDialect: Sendable, Hashable {
    /// What is between two fields; `nil` to find it out from the file's beginning, which may say it: `sep=;`.
    public var separator: CSVSeparator?
    /// What stands around fields that hold separators or line breaks; `nil` for files that know no quotes.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// A character behind which every other one is no more than a character, as in `\"`; `nil` for files that know none.
    ///
    /// A field without quotes that is a null token, such as `\N`, is null all the same.
    public var escape: UInt8?
    /// Whether a quote in quotes is written twice; otherwise any quote ends them that is not behind ``escape``.
    public var doublesQuotes = true
    /// Whether the first line names the columns.
    public var hasHeader = true
    /// Whether a file without a header may have one all the same, a first record that is the ``columns``.
    ///
    /// So it is of files that are parts of one.
    public var mayHaveHeader = false
    /// The numbers of the rows that name the columns, from 1 and rising; empty where the first row does that is neither blank nor left out.
    ///
    /// Up to the last of them every line counts as a row, blank ones and comments too. Rows between them are left out.
    public var headerRows: [Int] = []
    /// What stands between the parts of a name that is in several rows.
    public var headerJoin = " "
    /// The numbers of rows that are left out, from 1 and rising, whatever they hold.
    ///
    /// All rows count behind ``skippedLines``: the header, comments, blank lines, and records, however many lines they have.
    public var commentRows: [Int] = []
    /// Whether spaces and tabs behind a separator are no part of the field, also before a quote.
    public var skipsInitialSpace = false
    /// The columns' names; they take the place of the header's, or are the names where there is none.
    public var columns: [String]?
    /// How many physical lines before the header, or the first record, are no part of the table.
    public var skippedLines = 0
    /// What lines begin with that are no records; `nil` when there are none.
    public var comment: String?
    /// The encoding; `nil` for UTF-8, or UTF-16 where the file begins with its byte order mark, or with every other byte zero.
    public var encoding: TextEncoding?
    /// Fields without quotes that mean null, beside the empty one.
    public var nullTokens: [String] = []
    /// Whether spaces and tabs around fields without quotes are no part of them.
    public var isTrimmed = false
    /// Whether what spreadsheets write against the rules is accepted, and told in ``CSVReader/mended``.
    ///
    /// Quotes inside fields, text behind a closing quote, a quote that is never closed (a character then), rows that are too short, or too long by empty fields,
    /// NUL bytes (left out), and bytes that are no UTF-8 (read as Windows-1252).
    public var isLenient = false

    /// RFC 4180, with a separator that is found out.
    public init() {}

    /// RFC 4180, with another separator.
    public init(separator: CSVSeparator) {
        self.separator = separator
    }
}

extension CSVDialect {
    /// Makes sure that nothing contradicts something else.
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
                try refuse("the quote and the escape character are the same; quotes are doubled then")
            }
            guard escape < 0x80, ![0, UInt8(ascii: "\r"), UInt8(ascii: "\n")].contains(escape) else {
                return try refuse("an escape character is one of ASCII, and no line break")
            }
        }
        if isLenient, escape != nil || !doublesQuotes {
            try refuse(
                "what breaks the rules is not mended in files with escape characters, or quotes that are not doubled")
        }
        for rows in [headerRows, commentRows]
        where zip(rows, rows.dropFirst()).contains(where: { $0 >= $1 }) || rows.first ?? 1 < 1 {
            try refuse("numbers of rows are counted from 1, and rise")
        }
        if let both = commentRows.first(where: headerRows.contains) {
            try refuse("row \(both) names the columns, and is left out as well")
        }
        if !headerRows.isEmpty, !hasHeader { try refuse("without a header no rows name the columns") }
    }

    /// What is said that usual files do not need, for comparing two readings.
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
