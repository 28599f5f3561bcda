/// The options for writing a dataset.
///
/// If an option is set that the format does not support, ``check()`` throws an error.
///
/// The default options write files that an import reads without options. This example writes a file for a spreadsheet
/// program:
///
/// ```swift
/// var options = ExportOptions(format: .csv)
/// options.separator = .semicolon
/// options.lineEnding = .crlf
/// options.hasByteOrderMark = true
/// options.escapesFormulas = true
/// ```
///
/// ``TableAppearance`` determines these options from an existing file. The spellings of values, such as date formats,
/// come from the model.
///
/// ## Topics
///
/// ### Creating options
///
/// - ``init(format:)``
/// - ``format``
/// - ``check()``
///
/// ### Columns
///
/// - ``columns``
/// - ``hasHeader``
///
/// ### The syntax of tables
///
/// - ``separator``
/// - ``quotesAll``
/// - ``lineEnding``
/// - ``LineEnding``
/// - ``hasByteOrderMark``
/// - ``nullToken``
/// - ``escapesFormulas``
///
/// ### The syntax of documents
///
/// - ``isPretty``
///
/// ### Threads, progress and cancellation
///
/// - ``readers``
/// - ``progress``
/// - ``isCancelled``
public struct ExportOptions: Sendable {
    /// The line endings of CSV and TSV files.
    ///
    /// An import reads all of them. Line breaks inside texts are written verbatim.
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
    ///
    /// The names must be different, and the list must not be empty. In the default columns, a reference is written as
    /// the identifier of its target, or as the key that the model declares for files.
    public var columns: [ExportColumn]?
    /// A Boolean value that indicates whether a CSV or TSV file begins with the names of its columns.
    ///
    /// An import of a file without a header needs the names in ``CSVDialect/columns``.
    public var hasHeader = true
    /// The separator between two fields; `nil` for a comma in CSV and a tab in TSV.
    ///
    /// TSV allows only the tab. An import detects only the usual separators; see ``CSVSeparator``.
    public var separator: CSVSeparator?
    /// A Boolean value that indicates whether all fields of a CSV or TSV file are quoted, including the header and
    /// numbers.
    ///
    /// Fields with null are never quoted.
    ///
    /// Without this option, a field is quoted only if it contains a separator, a quote or a line break, begins or ends
    /// with a space, or could be read as something else.
    public var quotesAll = false
    /// The line ending of a CSV or TSV file.
    ///
    /// JSON formats allow only ``ExportOptions/LineEnding/lf``.
    public var lineEnding = LineEnding.lf
    /// A Boolean value that indicates whether a CSV or TSV file begins with a UTF-8 byte order mark.
    ///
    /// Some spreadsheets read a file without a byte order mark as Latin-1.
    public var hasByteOrderMark = false
    /// The text for null in a CSV or TSV file, written without quotes; `nil` for the empty text.
    ///
    /// If a value has the same text, it is quoted. A reader therefore must read the text as null only if it is not
    /// quoted.
    ///
    /// The text must not contain the separator, a quote, a line break or NUL, and must not begin or end with a space.
    /// An import needs the same text in ``CSVDialect/nullTokens``. It replaces the texts for null of the model.
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
    ///
    /// The format must be ``DatasetFormat/json``. The file is larger, and an import reads it more slowly.
    public var isPretty = false
    /// The maximum count of threads that read and format rows, at least 1.
    ///
    /// Several threads are used only if all rows of an entity are written in id order.
    ///
    /// A store that allows fewer readers at a time limits the count. The bytes do not depend on it. Each reader needs
    /// some megabytes of memory.
    public var readers = 2
    /// A closure that is called every few thousand rows; if it returns `true`, the export throws `CancellationError`.
    ///
    /// It is called on all reading threads, possibly at the same time, and must return quickly.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// A closure that is called every few thousand rows, on any thread, with the count of rows written since the last
    /// call.
    ///
    /// It may be called on several threads at the same time. The sum of all counts is the number of rows.
    public var progress: @Sendable (Int) -> Void = { _ in }

    /// Creates the default options for a format.
    ///
    /// - Parameter format: The format.
    public init(format: DatasetFormat) {
        self.format = format
    }

    /// Throws an error if an option is set that the format does not support.
    ///
    /// Initializers of exporters call this method. The columns are validated later, because they depend on the entity.
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
    ///
    /// It is not meaningful for a table.
    var layout: JSONLayout {
        format == .ndjson ? .lines : (isPretty ? .pretty : .array)
    }
}
