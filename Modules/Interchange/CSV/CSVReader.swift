/// Reads a CSV file record by record, in the memory of one record and one block.
///
/// ```swift
/// var reader = try CSVReader(ByteInput(path: "colors.csv"))
/// while try reader.next() {
///     print(reader.text(ofField: 0))
/// }
/// ```
///
/// The dialect is RFC 4180 unless ``CSVDialect`` says otherwise, with LF, CRLF or CR as line breaks, also mixed, and an optional byte order mark.
/// What the dialect does not allow is an error with its place. An empty field without quotes is null, with quotes it is the empty string.
/// Lines without any byte are skipped; with one column they are records that hold null.
///
/// The fields belong to the reader's buffer until the next call of ``next()``. Not to be used from several threads at once.
public struct CSVReader: ~Copyable {
    /// The most bytes of a record unless said otherwise, so that a forgotten quote does not read the whole file into memory.
    public static let defaultRecordLimit = 16 * 1024 * 1024

    /// The most fields of a record: as many as bound the memory, and more than any store has columns.
    static let maximumFields = 65_536

    /// The columns' names: those of the first line that is not blank, or of the dialect.
    ///
    /// A column without a name, and one that repeats a name, has a name that was given to it.
    public internal(set) var header: [String] = []

    /// Notes about names that were given to columns; empty if each column has its own name in the file.
    public internal(set) var namedColumns: [String] = []

    /// The header as it stands in the file, with its line break; empty where there is none.
    public internal(set) var headerOriginal: [UInt8] = []

    /// The physical line, from 1, on which the header starts.
    public internal(set) var headerLine = 1

    /// The physical line, from 1, on which the current record starts.
    public internal(set) var line = 1

    /// The number of the current record, from 1; 0 before the first, as the header is none.
    public internal(set) var record = 0

    /// What is between two fields, also where it was found out.
    public internal(set) var separatorFound = CSVSeparator.comma

    /// What was accepted against the rules, each kind with its first line and how often; empty unless the dialect is lenient.
    public var mended: [String] { namedColumns + mending.list }

    /// The line of the window's position.
    var currentLine = 1
    var window: ByteWindow
    var fields: [Field] = []
    /// Texts that are not in the window as they are: with doubled quotes made single, or mended.
    var scratch: [UInt8] = []
    /// Where the record ends, from the window's anchor on, without its line break.
    var recordEnd = 0
    let dialect: CSVDialect
    var separator: UInt8
    let quote: UInt8
    let hasQuotes: Bool
    let escape: UInt8?
    /// Whether fields have to be looked at for what usual files have not.
    let isUnusual: Bool
    /// How many rows were read or left out, as far as rows are counted: while ``skipsRows``.
    var row = 0
    /// Whether rows may come that are left out.
    var skipsRows: Bool
    /// The numbers of rows that are left out and were not met yet.
    var waitingRows: ArraySlice<Int>
    var comment: [UInt8]
    let limit: RecordLimit
    /// What the fields of the current record hold that were read so far; counted where it may be too much.
    var held = 0
    /// Whether a byte ends the run of a field without quotes.
    var isSpecial: [Bool] = []
    let nullTokens: [[UInt8]]
    /// A Boolean value that indicates whether an empty text in quotes means null, too.
    let emptyIsNull: Bool
    var mending = CSVMending()
    /// The last line that a quote which was taken as a character may have been closed on: up to there no row is filled up.
    var doubtfulLine = 0
    /// Whether the error that was thrown last leaves the record open: a quote that is not closed.
    var isOpenEnded = false
    private var isFinished = false

    /// Where a field is in the window, from its anchor on, or in the scratch memory.
    struct Field {
        var start: Int
        var end: Int
        var isQuoted: Bool
        var isInScratch = false
    }

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - input: Where the bytes come from; read to its end by ``next()``.
    ///   - dialect: How fields and lines are told apart.
    ///   - recordLimit: The most bytes that the fields of one record hold together, whatever quotes they are in; at least 1.
    ///   - isKnown: Whether a name is one of the columns that are expected, which helps to find the separator out.
    /// - Throws: ``InterchangeError/Code/header`` when the input has no line that is not blank, ``InterchangeError/Code/unsupported`` for a dialect
    ///   that contradicts itself, or what ``next()`` throws.
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
        // Rejected records are written in UTF-8, without what stood before the header, whatever the file was that they are from.
        let mark = Array(RejectsMark.firstLine.utf8)
        var isRejects = try input.peek(mark.count) == mark
        let decoded = isRejects ? input : try input.decoded(from: dialect.encoding)
        if decoded !== input { window = ByteWindow(decoded, limit: limit.spelled) }
        try window.skipByteOrderMark()
        // Also behind a byte order mark, as editors write one.
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
        // Who says what separates the fields knows it better than the file.
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
    /// - Returns: False at the end of the file, and ever after.
    /// - Throws: ``InterchangeError/Code/malformed`` with the line, the record and what to do, or what reading throws.
    ///   After an error there are no more records, unless ``recover()`` is called.
    /// - Complexity: O(*n*) in the record's bytes; allocates nothing but for a record larger than those before.
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

    /// Goes on behind a record that ``next()`` could not read: with the line after the place of the error, or after the record's first line where a
    /// quote was not closed.
    ///
    /// ``withOriginal(_:)`` gives the bytes that are passed over.
    ///
    /// - Throws: What reading throws.
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

    /// A Boolean value that indicates whether the line has nothing but spaces and tabs, as a last line of some editors.
    private var hasOnlySpaces: Bool {
        guard fields.count == 1, !fields[0].isQuoted else { return false }
        return withField(0) { text in text.indices.allSatisfy { Self.isBlank(text[$0]) } }
    }

    /// Whether the line has no byte at all.
    var isBlank: Bool {
        fields.count == 1 && fields[0].start == fields[0].end && !fields[0].isQuoted
    }
}
