/// The syntax of a CSV or TSV file.
///
/// The default values are those of RFC 4180, with a detected separator. Set only what differs in the files at hand:
///
/// ```swift
/// var dialect = CSVDialect(separator: .semicolon)
/// dialect.hasHeader = false
/// dialect.columns = ["id", "name", "price"]
/// dialect.nullTokens = ["NA"]
/// dialect.comment = "#"
/// dialect.encoding = .windows1252
/// ```
///
/// ``check()`` validates whether the settings contradict each other; ``CSVReader`` calls it. The dialect applies to
/// reading only. ``ExportOptions`` has the settings for writing.
///
/// ## Topics
///
/// ### Creating a dialect
///
/// - ``init()``
/// - ``init(separator:)``
/// - ``check()``
///
/// ### Fields
///
/// - ``separator``
/// - ``quote``
/// - ``doublesQuotes``
/// - ``escape``
/// - ``skipsInitialSpace``
/// - ``isTrimmed``
/// - ``nullTokens``
///
/// ### Column names
///
/// - ``hasHeader``
/// - ``columns``
/// - ``headerRows``
/// - ``headerJoin``
/// - ``mayHaveHeader``
///
/// ### Skipped lines and rows
///
/// - ``skippedLines``
/// - ``comment``
/// - ``commentRows``
///
/// ### Encoding and errors
///
/// - ``encoding``
/// - ``isLenient``
public struct CSVDialect: Sendable, Hashable {
    /// The separator between two fields; if it is `nil`, it is detected from the beginning of the file, which may
    /// contain `sep=;`.
    ///
    /// If it is set, it takes precedence over a line such as `sep=;` at the beginning of the file. Such a line is
    /// skipped in both cases.
    public var separator: CSVSeparator?
    /// The character that encloses fields with separators or line breaks; `nil` if the file has no quotes.
    ///
    /// It must differ from ``separator``. If it is `nil`, quotes are ordinary characters, and no field can contain a
    /// separator or a line break.
    public var quote: UInt8? = UInt8(ascii: "\"")
    /// The escape character, which makes the next character literal, as in `\"`; `nil` if the file has none.
    ///
    /// An unquoted field that equals a null token, such as `\N`, is still null.
    ///
    /// The character must be ASCII, and differ from ``separator``, ``quote``, NUL and line breaks. An escaped line
    /// break belongs to the field. A file cannot end after an escape character. A dialect with an escape character
    /// cannot be lenient.
    public var escape: UInt8?
    /// A Boolean value that indicates whether a quote inside a quoted field is written as two quotes.
    ///
    /// If it is `false`, any quote that does not follow the ``escape`` character ends the quoted field.
    ///
    /// If it is `false`, the dialect cannot be lenient.
    public var doublesQuotes = true
    /// A Boolean value that indicates whether the first line contains the column names.
    ///
    /// If it is `false`, ``columns`` must contain the names, and the first line is a record.
    public var hasHeader = true
    /// A Boolean value that indicates whether a file without a header may begin with one nevertheless.
    ///
    /// If the first record equals ``columns``, it is read as the header. Set this property if several files are parts
    /// of one file, of which only the first has a header.
    ///
    /// The property has an effect only if ``hasHeader`` is `false` and ``columns`` is set. The names are compared byte
    /// by byte.
    public var mayHaveHeader = false
    /// The numbers of the rows that contain the column names, in ascending order; the first row of the file is row 1.
    ///
    /// If the list is empty, the first row that is neither blank nor skipped contains the column names. Otherwise every
    /// line up to the last listed row counts as a row, including blank lines and comments. Rows between the listed rows
    /// are skipped.
    ///
    /// The numbers begin after ``skippedLines``. A missing, blank or commented header row is an error with the code
    /// ``InterchangeError/Code/header``.
    public var headerRows: [Int] = []
    /// The text that joins the parts of a column name from several header rows.
    ///
    /// Empty parts are omitted: the rows `Price,` and `net,gross` result in `Price net` and `gross`.
    public var headerJoin = " "
    /// The numbers of the rows that are skipped, in ascending order, independent of their content.
    ///
    /// The first row after ``skippedLines`` is row 1. The header, comments, blank lines and records count as rows; a
    /// record is one row even if it spans several lines.
    ///
    /// A number must not be in ``headerRows`` too.
    public var commentRows: [Int] = []
    /// A Boolean value that indicates whether spaces and tabs after a separator are ignored, also before a quote.
    ///
    /// The first field of a record keeps its spaces; ``isTrimmed`` also removes those. A tab is not ignored if it is
    /// the separator.
    public var skipsInitialSpace = false
    /// The column names of the file; they replace the names in the header, or name the columns of a file without a
    /// header.
    ///
    /// If the file has a header, it must have as many columns as this array, and its own names are ignored. If the file
    /// has no header, the array is required.
    public var columns: [String]?
    /// The count of physical lines at the beginning of the file that are skipped.
    ///
    /// The lines are skipped before the header, without regard to quotes. A negative count is 0. If the file has fewer
    /// lines, it is empty for the reader.
    public var skippedLines = 0
    /// The text with which comment lines begin; `nil` if the file has no comments.
    ///
    /// A line is a comment only if it begins with this text, without spaces before it. Inside a field of several lines,
    /// the text has no meaning. An empty text has the same meaning as `nil`.
    public var comment: String?
    /// The encoding of the file; if it is `nil`, the encoding is UTF-8 or detected as UTF-16.
    ///
    /// UTF-16 is detected by its byte order mark or by zeros in every other byte of the file.
    ///
    /// A reader converts other encodings to UTF-8 while it reads. Bytes that are invalid in the encoding are errors
    /// with the code ``InterchangeError/Code/malformed``.
    public var encoding: TextEncoding?
    /// The texts of unquoted fields that mean null, in addition to the empty text.
    ///
    /// Texts are compared byte by byte, and after spaces are removed if ``isTrimmed`` is set. A field in quotes is not
    /// null. The only exception: if the empty text is one of the tokens, an empty field in quotes is null too.
    public var nullTokens: [String] = []
    /// A Boolean value that indicates whether spaces and tabs around unquoted fields are removed.
    ///
    /// Fields in quotes keep their spaces. Column names are trimmed too.
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
    ///
    /// Use a lenient dialect for files that people edited by hand. Show the accepted errors to the user, because a
    /// repaired record may differ from what its author meant. A lenient dialect cannot have an ``escape`` character,
    /// and requires ``doublesQuotes``.
    public var isLenient = false

    /// Creates the dialect of RFC 4180, except that the separator is detected.
    public init() {}

    /// Creates the dialect of RFC 4180 with a separator.
    ///
    /// - Parameter separator: The separator between two fields, which is then not detected.
    public init(separator: CSVSeparator) {
        self.separator = separator
    }
}

extension CSVDialect {
    /// Throws an error if two settings contradict each other.
    ///
    /// ``CSVReader`` calls this method. Call it earlier to report a wrong setting before a file is opened.
    ///
    /// - Throws: ``InterchangeError/Code/unsupported`` if two of separator, quote and escape character are the same; if
    ///   the escape character is not allowed; if a lenient dialect has an escape character or single quotes; if row
    ///   numbers are not ascending from 1 or are in both lists; or if header rows are set for a file without a header.
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
    ///
    /// They are a part of the fingerprint of a resumed import. Defaults are omitted, so that a fingerprint stays equal
    /// if a later version adds settings.
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

    /// The dialect of the CSV to which a sheet is converted, with the settings that apply to sheets.
    var ofSheets: CSVDialect {
        var dialect = CSVDialect(separator: .comma)
        (dialect.hasHeader, dialect.mayHaveHeader, dialect.columns) = (hasHeader, mayHaveHeader, columns)
        (dialect.headerRows, dialect.headerJoin) = (headerRows, headerJoin)
        (dialect.commentRows, dialect.skippedLines, dialect.nullTokens) = (commentRows, skippedLines, nullTokens)
        return dialect
    }
}
