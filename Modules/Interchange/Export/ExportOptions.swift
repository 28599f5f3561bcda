/// The options for writing a dataset.
///
/// If an option is set that the format does not support, ``check()`` throws an error.
public struct ExportOptions: Sendable {
    /// The line endings of CSV and TSV files.
    public enum LineEnding: String, Sendable, Hashable, CaseIterable {
        /// A line feed, as on all systems except Windows.
        case lf
        /// Carriage return and line feed, as in RFC 4180.
        case crlf
        /// A carriage return, as on the first Macintosh computers.
        case cr

        var bytes: [UInt8] {
            switch self {
            case .lf: [0x0A]
            case .crlf: [0x0D, 0x0A]
            case .cr: [0x0D]
            }
        }
    }

    /// The format of the dataset.
    public var format: DatasetFormat
    /// The columns in the order of the export; `nil` for `id` and all columns of the entity, with their names.
    public var columns: [ExportColumn]?
    /// A Boolean value that indicates whether a CSV or TSV file begins with the names of its columns.
    public var hasHeader = true
    /// The separator between two fields; `nil` for a comma in CSV and a tab in TSV.
    public var separator: CSVSeparator?
    /// A Boolean value that indicates whether all fields of a CSV or TSV file are quoted, including the header and
    /// numbers.
    ///
    /// Fields with null are never quoted.
    public var quotesAll = false
    /// The line ending of a CSV or TSV file.
    public var lineEnding = LineEnding.lf
    /// A Boolean value that indicates whether a CSV or TSV file begins with a UTF-8 byte order mark.
    ///
    /// Some spreadsheets read a file without a byte order mark as Latin-1.
    public var hasByteOrderMark = false
    /// The text for null in a CSV or TSV file, written without quotes; `nil` for the empty text.
    ///
    /// If a value has the same text, it is quoted. A reader therefore must read the text as null only if it is not
    /// quoted.
    public var nullToken: String?
    /// The texts that mean null, by entity and attribute, for columns whose texts for null differ from the model.
    ///
    /// The first text is written for null, without quotes.
    package var missingValues: [String: [String: [String]]] = [:]
    /// A Boolean value that indicates whether a text that a spreadsheet would evaluate as a formula is written with a
    /// leading apostrophe.
    ///
    /// In a CSV or TSV file, such texts begin with `=`, `+`, `-`, `@`, a tab or a carriage return. Numbers are not
    /// changed. This is the only option that changes values: an import reads the apostrophe as a part of the text.
    public var escapesFormulas = false
    /// A Boolean value that indicates whether a JSON array is written with indentation and one value per line.
    public var isPretty = false
    /// The maximum count of threads that read and format rows, at least 1.
    ///
    /// Several threads are used only if all rows of an entity are written in id order.
    public var readers = 2
    /// A closure that is called every few thousand rows; if it returns `true`, the export throws `CancellationError`.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// A closure that is called every few thousand rows, on any thread, with the count of rows written since the last
    /// call.
    public var progress: @Sendable (Int) -> Void = { _ in }

    /// Creates the default options for a format.
    ///
    /// - Parameter format: The format.
    public init(format: DatasetFormat) {
        self.format = format
    }

    /// Throws an error if an option is set that the format does not support.
    ///
    /// - Throws: ``InterchangeError/Code/unsupported`` with the first option that the format does not support.
    public func check() throws(InterchangeError) {
        if format.isTable {
            try refuse(isPretty, "indentation is possible only in JSON")
            try refuse(
                format == .tsv && separator != nil && separator != .tab, "TSV has tabs between its fields; use CSV")
            try checkNullToken()
        } else {
            try refuse(!hasHeader, "has no header that could be left out")
            try refuse(separator != nil, "has no separator to choose")
            try refuse(quotesAll, "has quotes only where required; all fields can be quoted only in CSV and TSV")
            try refuse(lineEnding != .lf, "is written with LF; other line endings are possible only in CSV and TSV")
            try refuse(hasByteOrderMark, "has no byte order mark (RFC 8259)")
            try refuse(nullToken != nil, "has a null value; a token is possible only in CSV and TSV")
            try refuse(escapesFormulas, "is not a spreadsheet format; formulas can be escaped only in CSV and TSV")
            try refuse(isPretty && format == .ndjson, "has one object per line; indentation is possible only in JSON")
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
                    "\(PrintableText.quoted(nullToken)) cannot represent null: it contains a separator, a quote or a "
                    + "line break, or begins or ends with a space")
        }
    }

    /// The layout of a JSON file according to the format and ``isPretty``.
    var layout: JSONLayout {
        format == .ndjson ? .lines : (isPretty ? .pretty : .array)
    }
}
