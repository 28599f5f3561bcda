/// The ways in which files of separated fields differ.
public struct CSVDialect: Sendable, Hashable {
    /// What is between two fields; `nil` to find it out from the file's beginning, which may say it: `sep=;`.
    public var separator: CSVSeparator?
    /// What stands around fields that hold separators or line breaks; `nil` for files that know no quotes.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// Whether the first line names the columns.
    public var hasHeader = true
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
