/// Reads a CSV file record by record, in the memory of one record and one block.
///
/// ```swift
/// var reader = try CSVReader(ByteInput(path: "colors.csv"))
/// while try reader.next() {
///     let hex = reader.text(ofField: 0)
/// }
/// ```
///
/// The dialect is RFC 4180, with LF, CRLF or CR as line breaks, also mixed, and an optional byte order mark. What the RFC
/// does not allow is an error with its place. An empty field without quotes is null, with quotes it is the empty string.
/// Lines without any byte are skipped; with one column in the header they are records that hold null.
///
/// The fields belong to the reader's buffer until the next call of ``next()``. Not to be used from several threads at once.
public struct CSVReader: ~Copyable {
    /// The most bytes of a record unless said otherwise, so that a forgotten quote does not read the whole file into memory.
    public static let defaultRecordLimit = 16 * 1024 * 1024

    /// The most fields of a record: as many as bound the memory, and more than any store has columns.
    static let maximumFields = 65_536

    /// The names in the first line that is not blank.
    public internal(set) var header: [String] = []

    /// The physical line, from 1, on which the header starts.
    public internal(set) var headerLine = 1

    /// The physical line, from 1, on which the current record starts.
    public internal(set) var line = 1

    /// The number of the current record, from 1; 0 before the first, as the header is none.
    public internal(set) var record = 0

    /// The line of the window's position.
    var currentLine = 1
    var window: ByteWindow
    var fields: [Field] = []
    let separator: UInt8
    let recordLimit: Int
    /// Whether a byte ends the run of a field without quotes.
    let isSpecial: [Bool]
    private var isFinished = false

    /// Where a field is in the window, from its anchor on.
    struct Field {
        var start: Int
        var end: Int
        var isQuoted: Bool
    }

    /// Reads the header.
    ///
    /// - Parameters:
    ///   - input: Where the bytes come from; read to its end by ``next()``.
    ///   - separator: What is between two fields.
    ///   - recordLimit: The most bytes of one record, quotes included; at least 1.
    /// - Throws: ``InterchangeError/Code/header`` when the input has no line that is not blank, or what ``next()`` throws.
    public init(
        _ input: ByteInput, separator: CSVSeparator = .comma, recordLimit: Int = defaultRecordLimit
    ) throws(InterchangeError) {
        self.separator = separator.byte
        self.recordLimit = max(1, recordLimit)
        window = ByteWindow(input, limit: self.recordLimit)
        var isSpecial = [Bool](repeating: false, count: 256)
        for byte in [separator.byte, UInt8(ascii: "\""), UInt8(ascii: "\r"), UInt8(ascii: "\n"), 0] {
            isSpecial[Int(byte)] = true
        }
        self.isSpecial = isSpecial
        try window.skipByteOrderMark()
        repeat {
            guard try readRecord() else {
                throw InterchangeError(
                    .header, source: input.name, message: "the file is empty; its first line must name the columns")
            }
        } while isBlank
        headerLine = line
        header = fields.indices.map { text(ofField: $0) }
    }

    /// Reads the next record.
    ///
    /// - Returns: False at the end of the file, and ever after.
    /// - Throws: ``InterchangeError/Code/malformed`` with the line, the record and what to do, or what reading throws.
    ///   After an error there are no more records.
    /// - Complexity: O(*n*) in the record's bytes; allocates nothing but for a record larger than those before.
    public mutating func next() throws(InterchangeError) -> Bool {
        guard !isFinished else { return false }
        isFinished = true
        record += 1
        repeat {
            guard try readRecord() else {
                record -= 1
                fields.removeAll(keepingCapacity: true)
                return false
            }
        } while isBlank && header.count > 1
        isFinished = false
        return true
    }

    /// Whether the line has no byte at all.
    private var isBlank: Bool {
        fields.count == 1 && fields[0].start == fields[0].end && !fields[0].isQuoted
    }
}
