/// A reader that reads a CSV or TSV file record by record, in the memory of one record and one block.
///
/// ```swift
/// var reader = try CSVReader(ByteInput(path: "colors.csv"))
/// while try reader.next() {
///     print(reader.text(ofField: 0))
/// }
/// ```
///
/// The default syntax is RFC 4180, with LF, CRLF or CR as line breaks, also mixed, and an optional byte order mark;
/// ``CSVDialect`` describes other syntax. A violation of the syntax is an error with its location. An empty field
/// without quotes is null; an empty field in quotes is the empty string. Lines without any bytes are skipped. If the
/// table has only one column, they are records that contain null instead.
///
/// The fields are in the reader's buffer and are valid until the next call of ``next()``. Do not use one instance from
/// several threads at once.
public struct CSVReader: ~Copyable {
    /// The default maximum count of bytes in the fields of a record.
    ///
    /// The maximum prevents that a missing closing quote causes the whole file to be read into memory.
    public static let defaultRecordLimit = 16 * 1024 * 1024

    /// The maximum count of fields in a record.
    ///
    /// It limits the required memory, and exceeds the maximum count of columns of any store.
    static let maximumFields = 65_536

    /// The names of the columns: those in the header, or those of the dialect.
    ///
    /// A column without a name, and a column that repeats the name of another column, has a generated name.
    public internal(set) var header: [String] = []

    /// Notes about column names that were generated; empty if each column has a unique name in the file.
    public internal(set) var namedColumns: [String] = []

    /// The verbatim bytes of the header, with its line break; empty if the file has no header.
    public internal(set) var headerOriginal: [UInt8] = []

    /// The physical line on which the header begins, from 1.
    public internal(set) var headerLine = 1

    /// The physical line on which the current record begins, from 1.
    public internal(set) var line = 1

    /// The number of the current record, from 1; before the first record, it is 0.
    ///
    /// The header is not a record.
    public internal(set) var record = 0

    /// The separator between two fields: that of the dialect, or the detected one.
    public internal(set) var separatorFound = CSVSeparator.comma

    /// Descriptions of the syntax errors that were accepted: for each kind, the first line and the count.
    ///
    /// The list also contains ``namedColumns``. If the dialect is not lenient, it contains no syntax errors.
    public var repairs: [String] { namedColumns + repairLog.list }

    /// The physical line of the window's position.
    var currentLine = 1
    var window: ByteWindow
    var fields: [Field] = []
    /// The texts of fields that differ from the bytes in the window, because doubled quotes were made single or errors
    /// repaired.
    var scratch: [UInt8] = []
    /// The offset from the window's anchor at which the record ends, without its line break.
    var recordEnd = 0
    let dialect: CSVDialect
    var separator: UInt8
    let quote: UInt8
    let hasQuotes: Bool
    let escape: UInt8?
    /// A Boolean value that indicates whether the dialect has uncommon syntax, for which fields are read more slowly.
    let isUnusual: Bool
    /// The count of rows that were read or skipped; rows are counted only while ``skipsRows`` is `true`.
    var row = 0
    /// A Boolean value that indicates whether rows that the dialect skips may still follow.
    var skipsRows: Bool
    /// The numbers of the rows to be skipped that were not reached yet, in ascending order.
    var waitingRows: ArraySlice<Int>
    var comment: [UInt8]
    let limit: RecordLimit
    /// The count of bytes in the fields of the current record that were read; not counted for short records without
    /// special syntax.
    var held = 0
    /// For each byte value, a Boolean value that indicates whether the byte may end an unquoted field.
    var isSpecial: [Bool] = []
    let nullTokens: [[UInt8]]
    /// A Boolean value that indicates whether an empty text in quotes also means null.
    let emptyIsNull: Bool
    var repairLog = CSVRepairs()
    /// The last line on which a quote that was read as an ordinary character may be closed; up to this line, a row with
    /// missing fields is an error.
    var doubtfulLine = 0
    /// A Boolean value that indicates whether the record of the last error is incomplete, for example by an unclosed
    /// quote.
    var isOpenEnded = false
    private var isFinished = false

    /// The location of a field's text in the window, from its anchor, or in the scratch memory.
    struct Field {
        var start: Int
        var end: Int
        var isQuoted: Bool
        var isInScratch = false
    }

    /// Creates a reader of an input and reads the header.
    ///
    /// - Parameters:
    ///   - input: The input, which ``next()`` reads to its end.
    ///   - dialect: The syntax of the input.
    ///   - recordLimit: The maximum count of bytes in the fields of one record, without their quotes; at least 1.
    ///   - isKnown: A closure that returns whether a name is that of an expected column, which helps to detect the
    ///     separator.
    /// - Throws: ``InterchangeError/Code/header`` if the input has only blank lines,
    ///   ``InterchangeError/Code/unsupported`` if settings of the dialect contradict each other, or the errors of
    ///   ``next()``.
    public init(
        _ input: ByteInput, dialect: CSVDialect = CSVDialect(), recordLimit: Int = defaultRecordLimit,
        isKnown: (String) -> Bool = { _ in false }
    ) throws(InterchangeError) {
        self.dialect = dialect
        limit = RecordLimit(recordLimit)
        quote = dialect.quote ?? 0
        hasQuotes = dialect.quote != nil
        escape = dialect.escape
        isUnusual = dialect.escape != nil || !dialect.doublesQuotes || dialect.skipsInitialSpace
        waitingRows = dialect.commentRows[...]
        skipsRows = !dialect.commentRows.isEmpty || !(dialect.comment ?? "").isEmpty
        separator = dialect.separator?.byte ?? CSVSeparator.comma.byte
        comment = Array((dialect.comment ?? "").utf8)
        nullTokens = dialect.nullTokens.map { Array($0.utf8) }
        emptyIsNull = dialect.nullTokens.contains("")
        window = ByteWindow(input, limit: limit.spelled)
        try dialect.check()
        // A file of rejected records is in UTF-8, without the lines before the header, whatever the source file was.
        let mark = Array(RejectsMark.firstLine.utf8)
        var isRejects = try input.peek(mark.count) == mark
        let decoded = isRejects ? input : try input.decoded(from: dialect.encoding)
        if decoded !== input { window = ByteWindow(decoded, limit: limit.spelled) }
        try window.skipByteOrderMark()
        // Editors may write a byte order mark before the first line of such a file.
        if try window.holds(mark) { isRejects = true }
        var named: CSVSeparator?
        if !isRejects {
            try skipLines(dialect.skippedLines)
            named = try readSeparatorLine()
        }
        if try window.holds(mark) {
            comment = Array(RejectsMark.comment.utf8)
            skipsRows = true
        }
        // A given separator takes precedence over the file's declaration.
        if let given = dialect.separator ?? named {
            separatorFound = given
            separator = given.byte
        } else {
            try window.fill(upTo: CSVRecognition.byteCount)
            separatorFound = CSVRecognition(dialect, comment: comment)
                .separator(of: window.bytes[window.position..<window.end], isKnown)
            separator = separatorFound.byte
        }
        isSpecial = [Bool](repeating: false, count: 256)
        for byte in [separator, UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0] { isSpecial[Int(byte)] = true }
        if hasQuotes { isSpecial[Int(quote)] = true }
        if let escape { isSpecial[Int(escape)] = true }
        try readHeader()
    }

    /// Reads the next record of the file.
    ///
    /// - Returns: `true` if a record was read; `false` at the end of the file.
    /// - Throws: ``InterchangeError/Code/malformed`` with the line, the record and the solution if the record violates
    ///   the syntax, or ``InterchangeError`` if the input cannot be read. After an error, later calls return `false`
    ///   unless ``recover()`` was called.
    /// - Complexity: O(*n*) in the record's bytes. Memory is allocated only if the record is longer than all earlier
    ///   ones.
    public mutating func next() throws(InterchangeError) -> Bool {
        guard !isFinished else { return false }
        isFinished = true
        record += 1
        while true {
            guard try readRecord() else {
                record -= 1
                fields.removeAll(keepingCapacity: true)
                return false
            }
            guard header.count > 1, isBlank || hasOnlySpaces else { break }
            skipBlankLines()
        }
        isFinished = false
        return true
    }

    /// Moves to the next record after an error of ``next()``.
    ///
    /// Reading continues after the line on which the error occurred. If a quote was not closed, it continues after the
    /// first line of the record. ``withOriginal(_:)`` returns the bytes that are skipped.
    ///
    /// - Throws: ``InterchangeError`` if the input cannot be read.
    public mutating func recover() throws(InterchangeError) {
        guard isFinished else { return }
        isFinished = false
        fields.removeAll(keepingCapacity: true)
        if isOpenEnded || window.offset > limit.spelled {
            window.position = window.anchor
            currentLine = line
        }
        isOpenEnded = false
        try skipLine()
    }

    /// A Boolean value that indicates whether the current record consists only of spaces and tabs.
    private var hasOnlySpaces: Bool {
        guard fields.count == 1, !fields[0].isQuoted else { return false }
        return withField(0) { text in text.indices.allSatisfy { Self.isBlank(text[$0]) } }
    }

    /// A Boolean value that indicates whether the next line has no bytes.
    var isBlank: Bool {
        fields.count == 1 && fields[0].start == fields[0].end && !fields[0].isQuoted
    }
}
