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
///
/// Use a reader if a program needs the records of a file without storing them. ``DatasetImporter`` uses it to store
/// records. Three rules apply to every loop over records:
///
/// - The reader accepts records with any number of fields. Call ``checkFieldCount()`` if the columns matter.
/// - Call ``recover()`` after an error of ``next()`` to continue with the next record; otherwise the reader returns no
///   more records.
/// - A reader does not close its input, and it reads ahead: do not read the input while the reader is in use.
///
/// A function that reads one record, and reports an invalid one without ending the loop:
///
/// ```swift
/// func printNext(_ reader: inout CSVReader) throws -> Bool {
///     do {
///         guard try reader.next() else { return false }
///         print(reader.record, reader.text(ofField: 0))
///     } catch where error.code == .malformed {
///         print(error)
///         try reader.recover()
///     }
///     return true
/// }
/// ```
///
/// A line that consists only of spaces and tabs is skipped too if the table has more than one column. A file that a
/// ``RejectsFile`` wrote is recognized by its first line: it is read as UTF-8, and its comment lines are skipped.
///
/// ## Topics
///
/// ### Creating a reader
///
/// - ``init(_:dialect:recordLimit:isKnown:)``
/// - ``defaultRecordLimit``
///
/// ### Inspecting the header
///
/// - ``header``
/// - ``headerLine``
/// - ``headerOriginal``
/// - ``namedColumns``
/// - ``separatorFound``
///
/// ### Reading records
///
/// - ``next()``
/// - ``recover()``
/// - ``checkFieldCount()``
/// - ``record``
/// - ``line``
/// - ``withOriginal(_:)``
///
/// ### Reading the fields of a record
///
/// - ``fieldCount``
/// - ``text(ofField:)``
/// - ``withField(_:_:)``
/// - ``isNull(field:)``
/// - ``isQuoted(field:)``
///
/// ### Reporting problems
///
/// - ``error(_:field:message:)``
/// - ``repairs``
public struct CSVReader: ~Copyable {
    /// The default maximum count of bytes in the fields of a record.
    ///
    /// The maximum prevents that a missing closing quote causes the whole file to be read into memory.
    ///
    /// It is 16 MiB. The limit applies to the texts of the fields, without quotes and separators. In the file, a record
    /// may have six times as many bytes, and an additional mebibyte.
    public static let defaultRecordLimit = 16 * 1024 * 1024

    /// The maximum count of fields in a record.
    ///
    /// It limits the required memory, and exceeds the maximum count of columns of any store.
    static let maximumFields = 65_536

    /// The names of the columns: those in the header, or those of the dialect.
    ///
    /// A column without a name, and a column that repeats the name of another column, has a generated name.
    ///
    /// The number of columns is the count of this array. A generated name is `column3` for the third column if it has
    /// no name, and `name_2` for the second column with the name `name`. If ``CSVDialect/columns`` is set, the names
    /// are used verbatim, even if they are repeated.
    public internal(set) var header: [String] = []

    /// Notes about column names that were generated; empty if each column has a unique name in the file.
    ///
    /// Each note is a phrase for the user, such as `column 3 has no name; it gets the name column3`. Show the notes
    /// together with an error about unknown columns.
    public internal(set) var namedColumns: [String] = []

    /// The verbatim bytes of the header, with its line break; empty if the file has no header.
    ///
    /// If the column names are in several rows, these are the bytes of all these rows without the rows between them.
    /// The bytes are UTF-8, whatever the encoding of the file. To write a part of a file as a file of its own, write
    /// these bytes before the records.
    public internal(set) var headerOriginal: [UInt8] = []

    /// The physical line on which the header begins, from 1.
    ///
    /// It is greater than 1 if lines before the header are blank, comments or skipped. If the file has no header, it is
    /// 1.
    public internal(set) var headerLine = 1

    /// The physical line on which the current record begins, from 1.
    ///
    /// A quoted field may contain line breaks, so the next record may begin several lines later. Skipped lines and
    /// comments count as lines.
    public internal(set) var line = 1

    /// The number of the current record, from 1; before the first record, it is 0.
    ///
    /// The header is not a record.
    ///
    /// A record that could not be read has a number too, so the number stays the same if the user fixes other records
    /// of the file.
    public internal(set) var record = 0

    /// The separator between two fields: that of the dialect, or the detected one.
    ///
    /// Read it to show the user how the file was understood, or to write another file with the same separator.
    public internal(set) var separatorFound = CSVSeparator.comma

    /// Descriptions of the syntax errors that were accepted: for each kind, the first line and the count.
    ///
    /// The list also contains ``namedColumns``. If the dialect is not lenient, it contains no syntax errors.
    ///
    /// The list is complete after the last record. Each description is a phrase, such as `NUL byte left out (3 times,
    /// first in line 7)`.
    ///
    /// - Complexity: O(*n*) in the columns with generated names.
    public var repairs: [String] { namedColumns + repairLog.list }

    /// The physical line of the window's position.
    var currentLine = 1
    /// The physical line on which the current record begins; in a sheet, ``line`` is the number of its row instead.
    var physicalLine = 1
    /// The sheet from which the records come; `nil` for other inputs.
    let sheet: SheetFilter?
    /// The part of the input that is in memory; its anchor is the beginning of the current record.
    ///
    /// The bytes of the record are retained until the next call of ``next()``, because fields and ``withOriginal(_:)``
    /// refer to them.
    var window: ByteWindow
    /// The locations of the fields of the current record, in the order of the file.
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
    /// The bytes with which comment lines begin; empty if the file has no comments.
    var comment: [UInt8]
    /// The maximum size of a record: of its values, and of its text in the file.
    let limit: RecordLimit
    /// The count of bytes in the fields of the current record that were read; not counted for short records without
    /// special syntax.
    var held = 0
    /// For each byte value, a Boolean value that indicates whether the byte may end an unquoted field.
    var isSpecial: [Bool] = []
    let nullTokens: [[UInt8]]
    /// A Boolean value that indicates whether an empty text in quotes also means null.
    let emptyIsNull: Bool
    /// The syntax errors that were accepted, if the dialect is lenient.
    var repairLog = CSVRepairs()
    /// The last line on which a quote that was read as an ordinary character may be closed; up to this line, a row with
    /// missing fields is an error.
    var doubtfulLine = 0
    /// A Boolean value that indicates whether the record of the last error is incomplete, for example by an unclosed
    /// quote.
    var isOpenEnded = false
    /// A Boolean value that indicates whether reading ended, at the end of the file or with an error.
    private var isFinished = false

    /// The location of a field's text in the window, from its anchor, or in the scratch memory.
    ///
    /// Locations are offsets instead of copies, so that a record needs no memory of its own. An offset from the anchor
    /// stays valid if the window moves its bytes.
    struct Field {
        var start: Int
        var end: Int
        var isQuoted: Bool
        var isInScratch = false
    }

    /// Creates a reader of an input and reads the header.
    ///
    /// The initializer reads at least the header, and up to 64 KiB of the input if it has to detect the separator. It
    /// waits until these bytes are available, for example if the input is a pipe.
    ///
    /// - Parameters:
    ///   - input: The input, which ``next()`` reads to its end; the reader does not close it.
    ///   - dialect: The syntax of the input.
    ///   - recordLimit: The maximum count of bytes in the fields of one record, without their quotes; at least 1.
    ///   - isKnown: A closure that returns whether a name is that of an expected column, which helps to detect the
    ///     separator. It is called only by the initializer, and only if neither the dialect nor the file sets the
    ///     separator.
    /// - Throws: ``InterchangeError/Code/header`` if the input has only blank lines, if it has no header and the
    ///   dialect has no ``CSVDialect/columns``, or if the header has another number of columns than the dialect;
    ///   ``InterchangeError/Code/unsupported`` if settings of the dialect contradict each other; or the errors of
    ///   ``next()``.
    public init(
        _ input: ByteInput, dialect: CSVDialect = CSVDialect(), recordLimit: Int = defaultRecordLimit,
        isKnown: (String) -> Bool = { _ in false }
    ) throws(InterchangeError) {
        sheet = input.sheet
        let dialect = input.sheet == nil ? dialect : dialect.ofSheets
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
        try input.checkIsNoArchive()
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
        sheet?.header = header
        if dialect.hasHeader { try checkCells(ofRow: headerLine) }
    }

    /// Throws an error if a cell of a sheet's row has no valid value.
    private func checkCells(ofRow row: Int) throws(InterchangeError) {
        guard let sheet, let fault = sheet.fault(ofRow: row) else { return }
        var error = error(.malformed, field: fault.field, message: fault.message)
        error.address = fault.address
        throw error
    }

    /// Reads the next record of the file.
    ///
    /// Blank lines, comments and the rows that the dialect skips are skipped first. The method does not compare the
    /// number of fields with the header; call ``checkFieldCount()`` for this. If the input is a pipe, the call waits
    /// for the bytes of a whole record.
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
        // After an error, the next call continues with the next record, because this one was read completely.
        try checkCells(ofRow: line)
        return true
    }

    /// Moves to the next record after an error of ``next()``.
    ///
    /// Reading continues after the line on which the error occurred. If a quote was not closed, it continues after the
    /// first line of the record. ``withOriginal(_:)`` returns the bytes that are skipped.
    ///
    /// The skipped record keeps its number, so the next record has the next number. If ``next()`` did not throw an
    /// error, the method has no effect. An error of ``checkFieldCount()`` needs no recovery: the record was read
    /// completely.
    ///
    /// - Throws: ``InterchangeError`` if the input cannot be read.
    public mutating func recover() throws(InterchangeError) {
        guard isFinished else { return }
        isFinished = false
        fields.removeAll(keepingCapacity: true)
        if isOpenEnded || window.offset > limit.spelled {
            window.position = window.anchor
            currentLine = physicalLine
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
