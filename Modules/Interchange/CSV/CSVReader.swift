/// A reader of a CSV file that reads record by record, in the memory of one record and one block.
///
/// ```swift
/// var reader = try CSVReader(ByteInput(path: "colors.csv"))
/// while try reader.next() {
///     print(reader.text(ofField: 0))
/// }
/// ```
///
/// The default syntax is RFC 4180, with LF, CRLF or CR as line breaks, also mixed, and an optional byte order mark;
/// ``CSVDialect`` changes it. A violation of the syntax is an error with its location. An empty unquoted field is null;
/// an empty quoted field is the empty string. Lines without any byte are skipped, except in a table with one column,
/// where they are records that contain null.
///
/// The fields are in the reader's buffer and are valid until the next call of ``next()``. Do not use one instance from
/// several threads at once.
public struct CSVReader: ~Copyable {
    /// The default maximum count of bytes in a record.
    ///
    /// It prevents a forgotten quote from reading the whole file into memory.
    public static let defaultRecordLimit = 16 * 1024 * 1024

    /// The maximum count of fields in a record; it bounds the memory, and exceeds the column count of any store.
    static let maximumFields = 65_536

    /// The names of the columns: those of the first line that is not blank, or of the dialect.
    ///
    /// A column without a name, and a column that repeats a name, has a generated name.
    public internal(set) var header: [String] = []

    /// Notes about generated column names; empty if each column has its own name in the file.
    public internal(set) var namedColumns: [String] = []

    /// The verbatim header, with its line break; empty if there is none.
    public internal(set) var headerOriginal: [UInt8] = []

    /// The physical line, from 1, on which the header starts.
    public internal(set) var headerLine = 1

    /// The physical line, from 1, on which the current record starts.
    public internal(set) var line = 1

    /// The number of the current record, from 1; 0 before the first record.
    ///
    /// The header is not a record.
    public internal(set) var record = 0

    /// The separator between two fields, whether it was given or detected.
    public internal(set) var separatorFound = CSVSeparator.comma

    /// The syntax errors that were accepted, each kind with its first line and count.
    ///
    /// The list also contains the notes about column names. It has no syntax errors if the dialect is not lenient.
    public var repairs: [String] { namedColumns + repairLog.list }

    /// The line of the window's position.
    var currentLine = 1
    var window: ByteWindow
    var fields: [Field] = []
    /// Texts that differ from the bytes in the window: with doubled quotes made single, or repaired.
    var scratch: [UInt8] = []
    /// The end of the record without its line break, from the window's anchor on.
    var recordEnd = 0
    let dialect: CSVDialect
    var separator: UInt8
    let quote: UInt8
    let hasQuotes: Bool
    let escape: UInt8?
    /// A Boolean value that indicates whether fields need the slower check for uncommon syntax.
    let isUnusual: Bool
    /// The count of rows that were read or skipped; only counted while ``skipsRows`` is `true`.
    var row = 0
    /// A Boolean value that indicates whether rows to be skipped may follow.
    var skipsRows: Bool
    /// The numbers of rows to be skipped that were not reached yet.
    var waitingRows: ArraySlice<Int>
    var comment: [UInt8]
    let limit: RecordLimit
    /// The count of bytes in the fields of the current record so far; not counted for short plain records.
    var held = 0
    /// For each byte, a Boolean value that indicates whether it ends the run of an unquoted field.
    var isSpecial: [Bool] = []
    let nullTokens: [[UInt8]]
    /// A Boolean value that indicates whether an empty text in quotes means null, too.
    let emptyIsNull: Bool
    var repairLog = CSVRepairs()
    /// The last line that may contain the end of a quote that was read as a character; short rows up to it are errors.
    var doubtfulLine = 0
    /// A Boolean value that indicates whether the last error leaves the record open, for example by an unclosed quote.
    var isOpenEnded = false
    private var isFinished = false

    /// The location of a field in the window, from its anchor on, or in the scratch memory.
    struct Field {
        var start: Int
        var end: Int
        var isQuoted: Bool
        var isInScratch = false
    }

    /// Creates a reader and reads the header.
    ///
    /// - Parameters:
    ///   - input: The input, which ``next()`` reads to its end.
    ///   - dialect: The syntax of the file.
    ///   - recordLimit: The maximum count of bytes in the fields of one record, not counting quotes; at least 1.
    ///   - isKnown: A closure that returns whether a name is an expected column, which helps to detect the separator.
    /// - Throws: ``InterchangeError/Code/header`` if the input has only blank lines,
    ///   ``InterchangeError/Code/unsupported`` for a dialect that contradicts itself, or the errors of ``next()``.
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

    /// Reads the next record.
    ///
    /// - Returns: `false` at the end of the file, and for every later call.
    /// - Throws: ``InterchangeError/Code/malformed`` with the line, the record and the solution, or the errors of
    ///   reading. After an error there are no more records, unless ``recover()`` is called.
    /// - Complexity: O(*n*) in the record's bytes; allocates only for a record that is larger than all before.
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

    /// Continues after a record that ``next()`` could not read.
    ///
    /// Reading continues with the line after the location of the error, or after the record's first line if a quote was
    /// not closed. ``withOriginal(_:)`` returns the bytes that are skipped.
    ///
    /// - Throws: The errors of reading.
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

    /// A Boolean value that indicates whether the line has only spaces and tabs, like a last line of some editors.
    private var hasOnlySpaces: Bool {
        guard fields.count == 1, !fields[0].isQuoted else { return false }
        return withField(0) { text in text.indices.allSatisfy { Self.isBlank(text[$0]) } }
    }

    /// A Boolean value that indicates whether the line has no bytes.
    var isBlank: Bool {
        fields.count == 1 && fields[0].start == fields[0].end && !fields[0].isQuoted
    }
}
