/// How a dataset is written.
///
/// An option that the format does not have is refused by ``check()``, never ignored.
public struct ExportOptions: Sendable {
    /// What ends a record of a table.
    public enum LineEnding: String, Sendable, Hashable, CaseIterable {
        /// A line feed, as everywhere but on Windows.
        case lf
        /// Carriage return and line feed, as in RFC 4180.
        case crlf
        /// A carriage return, as on the first Macintoshes.
        case cr

        var bytes: [UInt8] {
            switch self {
            case .lf: [0x0A]
            case .crlf: [0x0D, 0x0A]
            case .cr: [0x0D]
            }
        }
    }

    /// The format.
    public var format: DatasetFormat
    /// The columns in their order; `nil` is `id` and the entity's own, under their names.
    public var columns: [ExportColumn]?
    /// Whether a table begins with its columns' names.
    public var hasHeader = true
    /// What is between two fields of CSV; `nil` is a comma, and in TSV a tab.
    public var separator: CSVSeparator?
    /// Whether all fields of a table are put in quotes, the header's and numbers too; null never is.
    public var quotesAll = false
    /// What ends a record of a table.
    public var lineEnding = LineEnding.lf
    /// Whether a table begins with a UTF-8 byte order mark, for spreadsheets that take it for Latin-1 otherwise.
    public var hasByteOrderMark = false
    /// What is written for null in a table, without quotes; `nil` is nothing.
    ///
    /// A value whose text is the token is put in quotes, and a reader that is told the token reads null only where there are none.
    public var nullToken: String?
    /// The texts that mean null in columns whose model says otherwise, by the names of entities and attributes; the
    /// first is written for null, without quotes.
    package var missingValues: [String: [String: [String]]] = [:]
    /// Whether texts of a table that a spreadsheet would calculate get an apostrophe in front: those that begin with `=`, `+`, `-`, `@`, a
    /// tab or a carriage return.
    ///
    /// Numbers are left alone. The only option that changes values: what is read back has the apostrophe.
    public var escapesFormulas = false
    /// Whether a JSON array is indented, one value a line.
    public var isPretty = false
    /// How many threads read and format, at least 1; more than one only where all rows of an entity are written by id.
    public var readers = 2
    /// Asked every few thousand rows; true ends the export with `CancellationError`.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// Told every few thousand rows how many more are written, by any of the threads that write.
    public var progress: @Sendable (Int) -> Void = { _ in }

    /// Options for a format.
    ///
    /// - Parameter format: The format.
    public init(format: DatasetFormat) {
        self.format = format
    }

    /// Makes sure that the format has the options that are set.
    ///
    /// - Throws: ``InterchangeError/Code/unsupported`` naming the first that it has not.
    public func check() throws(InterchangeError) {
        if format.isTable {
            try refuse(isPretty, "indentation is for JSON")
            try refuse(
                format == .tsv && separator != nil && separator != .tab, "TSV has tabs between its fields; use CSV")
            try checkNullToken()
        } else {
            try refuse(!hasHeader, "has no header that could be left out")
            try refuse(separator != nil, "has no separator to choose")
            try refuse(quotesAll, "has quotes where it must; all of them are for CSV and TSV")
            try refuse(lineEnding != .lf, "is written with LF; other line endings are for CSV and TSV")
            try refuse(hasByteOrderMark, "has no byte order mark (RFC 8259)")
            try refuse(nullToken != nil, "has null; a token is for CSV and TSV")
            try refuse(escapesFormulas, "is no spreadsheet's format; escaped formulas are for CSV and TSV")
            try refuse(isPretty && format == .ndjson, "has one object a line; indentation is for JSON")
        }
    }

    private func refuse(_ isWrong: Bool, _ reason: String) throws(InterchangeError) {
        guard isWrong else { return }
        let name = format.rawValue.uppercased()
        let startsWithName = reason.hasPrefix("has ") || reason.hasPrefix("is ")
        throw InterchangeError(.unsupported, message: startsWithName ? "\(name) \(reason)" : reason)
    }

    private func checkNullToken() throws(InterchangeError) {
        guard let nullToken else { return }
        let separator = separator?.byte ?? (format == .tsv ? CSVSeparator.tab.byte : CSVSeparator.comma.byte)
        let forbidden: [UInt8] = [separator, UInt8(ascii: "\""), UInt8(ascii: "\n"), UInt8(ascii: "\r"), 0]
        let space = UInt8(ascii: " ")
        guard !nullToken.utf8.contains(where: forbidden.contains), nullToken.utf8.first != space,
            nullToken.utf8.last != space
        else {
            throw InterchangeError(
                .unsupported,
                message:
                    "\(PrintableText.quoted(nullToken)) cannot stand for null: it holds a separator, a quote or a line "
                    + "break, or begins or ends with a space")
        }
    }

    /// How JSON is laid out.
    var layout: JSONLayout {
        format == .ndjson ? .lines : (isPretty ? .pretty : .array)
    }
}
