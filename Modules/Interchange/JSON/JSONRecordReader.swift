/// Reads the objects of a JSON document one by one, in the memory of one object and one block.
///
/// ```swift
/// var reader = try JSONRecordReader(ByteInput(path: "colors.json"), layout: JSONRecordLayout(root: "colors"))
/// while try reader.next() {
///     for member in 0..<reader.memberCount where reader.key(ofMember: member) == "hex" {
///         print(reader.text(ofMember: member))
///     }
/// }
/// ```
///
/// Where the objects are says ``JSONRecordLayout``. RFC 8259 is taken at its word: no comments,
/// no commas at the end, no control characters in strings, no lone surrogates, nothing after the document. A byte order
/// mark is skipped. `\u0000` is refused, because no store holds it. A key that is there twice is an error in records and in the
/// document's object; inside values that are skipped it is not looked for.
///
/// The members belong to the reader's buffer until the next call of ``next()``. Not to be used from several threads at once.
public struct JSONRecordReader: ~Copyable {
    /// The most bytes of an object unless said otherwise.
    public static let defaultRecordLimit = 16 * 1024 * 1024

    /// How deep arrays and objects may be inside each other, the document included.
    public static let maximumDepth = 512

    /// The most members of a record: as many as bound the memory, and more than any store has columns.
    static let maximumMembers = 65_536

    /// The physical line, from 1, on which the current record starts.
    public internal(set) var line = 1

    /// The number of the current record, from 1; 0 before the first.
    public internal(set) var record = 0

    /// The line of the window's position.
    var currentLine = 1
    var window: ByteWindow
    /// Whether the anchor is the beginning of a record, so that everything from there on is kept.
    var isInRecord = false
    var members: [Member] = []
    /// Texts that are not in the window as they are, because they have escapes.
    var scratch: [UInt8] = []
    /// Where the text of the string is that was read last as a value.
    var scannedString = Text(range: 0..<0)
    /// Where the record ends, from the window's anchor on.
    var recordEnd = 0
    let limit: RecordLimit
    /// What the values of the current record hold that were read so far; counted where it may be too much.
    var held = 0
    /// How many spaces and tabs stand before what was read last around the records, where that is the first on its line; -1 where it is not.
    var indentation = -1
    /// Whether the position is the beginning of a record, behind one that could not be read.
    var resumesAtRecord = false
    /// The line on which the record begins behind which no other one could be found.
    private(set) var lostLine: Int?
    private(set) var layout: JSONRecordLayout
    /// Whether it is a file of rejected records, each by itself below a line that says why.
    private(set) var isRejects = false
    /// The keys of the objects around the records, from the outside in.
    var documentKeys: [JSONDocumentKeys] = []
    /// Names of members that have none in the record itself, or a path.
    var names: [String] = []
    private var isFinished = false
    /// Whether the error that was thrown last is that the record is too long.
    var isTooLong = false
    /// Whether the record behind which the error was thrown was read to its end, so that the position is right behind it.
    var isWhole = false
    /// What was passed over of a record that could not be read.
    var passed = PassedElement()

    /// Where a text is: in the window, from its anchor on, or in the scratch memory.
    struct Text {
        var range: Range<Int>
        var isInScratch = false
    }

    /// One value of the record.
    struct Member {
        var key: Text
        var kind: JSONKind
        var value: Text
        var line: Int
        /// The number of its name, where it is not its key.
        var name: Int?
    }

    /// Goes to the beginning of the records.
    ///
    /// - Parameters:
    ///   - input: Where the bytes come from; read to its end by ``next()``.
    ///   - layout: Where in the document the records are.
    ///   - recordLimit: The most bytes that the values of one object hold together, whatever their escapes; at least 1.
    ///   - encoding: The encoding; nil for UTF-8, or UTF-16 where the input begins like that.
    /// - Throws: ``InterchangeError/Code/header`` when the records are not where they should be, naming the keys there are;
    ///   ``InterchangeError/Code/malformed`` when what is before them is not JSON.
    public init(
        _ input: ByteInput, layout: JSONRecordLayout = JSONRecordLayout(), recordLimit: Int = defaultRecordLimit,
        encoding: TextEncoding? = nil
    ) throws(InterchangeError) {
        self.layout = layout
        limit = RecordLimit(recordLimit)
        // Rejected records are written in UTF-8, whatever the file was that they are from.
        let mark = Array(RejectsMark.firstLine.utf8)
        window = ByteWindow(input, limit: limit.spelled)
        isRejects = try input.peek(mark.count) == mark
        let decoded = isRejects ? input : try input.decoded(from: encoding)
        if decoded !== input { window = ByteWindow(decoded, limit: limit.spelled) }
        try window.skipByteOrderMark()
        // Also behind a byte order mark, as editors write one.
        if try window.holds(mark) { isRejects = true }
        if isRejects {
            self.layout.root = []
            if layout.shape == .array { self.layout.shape = .lines }
        }
        try skipComments()
        if try beginsWithRecords() { self.layout.shape = .lines }
        if self.layout.shape != .lines { try openDocument() }
    }

    /// Returns whether a document that is to be an array has its records behind each other.
    private mutating func beginsWithRecords() throws(InterchangeError) -> Bool {
        guard layout.shape == .array, layout.root.isEmpty, try skipWhitespace() == UInt8(ascii: "{") else {
            return false
        }
        try window.fill(upTo: JSONRecognition.byteCount)
        let bytes = window.bytes[window.position..<window.end]
        return JSONRecognition(bytes, isWhole: bytes.count < JSONRecognition.byteCount).holdsRecords
    }

    /// Reads the next object.
    ///
    /// - Returns: False at the end of the document, and ever after.
    /// - Throws: ``InterchangeError/Code/malformed`` with the line, the record and what was expected, or what reading
    ///   throws. After an error there are no more records, unless ``recover()`` is called.
    /// - Complexity: O(*n*) in the object's bytes, and O(*m* log *m*) in its members; allocates nothing but for an object
    ///   larger than those before.
    public mutating func next() throws(InterchangeError) -> Bool {
        guard !isFinished else { return false }
        isFinished = true
        held = 0
        members.removeAll(keepingCapacity: true)
        scratch.removeAll(keepingCapacity: true)
        names.removeAll(keepingCapacity: true)
        switch layout.shape {
        case .lines: if try !nextLine() { return false }
        case .array, .members: if try !nextElement() { return false }
        }
        isFinished = false
        return true
    }

    /// Goes on behind a record that ``next()`` could not read.
    ///
    /// A record of a line of its own: with the line after the place of the error, or after the record's first line where it is too long. A record in an
    /// array or an object: with the next one, where its brackets and quotes say where that is, or where each record has a line. Where what would be
    /// passed over looks like more than one record, as it does between two missing quotes, nothing is passed over.
    ///
    /// ``withOriginal(_:)`` gives the bytes that are passed over.
    ///
    /// - Returns: False where nobody can tell where the next record begins, and for errors around the records.
    /// - Throws: What reading throws.
    /// - Complexity: O(*n*) in the bytes that are passed over.
    public mutating func recover() throws(InterchangeError) -> Bool {
        guard isFinished else { return true }
        members.removeAll(keepingCapacity: true)
        if layout.shape == .lines {
            // How far a record that is too long was read depends on the blocks; where it begins does not.
            if isInRecord, isTooLong || window.offset > limit.spelled {
                window.position = window.anchor
                currentLine = line
            }
            try skipLine()
        } else {
            guard isInRecord else { return false }
            if !isWhole, try !skipElement() {
                lostLine = line
                return false
            }
        }
        isTooLong = false
        isWhole = false
        isInRecord = false
        isFinished = false
        return true
    }

    private mutating func nextLine() throws(InterchangeError) -> Bool {
        try skipComments()
        guard try skipWhitespace() != nil else { return false }
        // Files that are put together have a mark before each of them.
        try window.skipByteOrderMark()
        guard let byte = try skipWhitespace() else { return false }
        record += 1
        isInRecord = true
        line = currentLine
        guard byte == UInt8(ascii: "{") else {
            let kind = try scanValue(depth: depthOfRecords)
            recordEnd = window.offset
            throw error(.malformed, message: "the record is \(kind.name); every record must be an object")
        }
        try readRecord()
        return true
    }

    private mutating func nextElement() throws(InterchangeError) -> Bool {
        let end = layout.shape == .members ? UInt8(ascii: "}") : UInt8(ascii: "]")
        let blanks = indentation
        var byte = try skipWhitespace()
        // Behind a record that was passed over by lines its line break is behind, too.
        if resumesAtRecord { indentation = blanks }
        var isBehindComma = record == 0 || resumesAtRecord
        resumesAtRecord = false
        while byte == end {
            guard isRejects, layout.shape == .members else {
                try closeDocument()
                return false
            }
            // Rejected members are objects of their own.
            window.position += 1
            try skipComments()
            guard try skipWhitespace() == UInt8(ascii: "{") else {
                try closeDocument(isClosed: true)
                return false
            }
            window.position += 1
            byte = try skipWhitespace()
            isBehindComma = true
        }
        if !isBehindComma {
            guard byte == UInt8(ascii: ",") else {
                // What stands there may be a record before which the comma is missing.
                if byte != nil { beginElement() }
                throw expected(layout.shape == .members ? "a comma or }" : "a comma or ]", found: byte)
            }
            window.position += 1
            byte = try skipWhitespace()
        }
        record += 1
        if layout.shape == .members {
            try readKeyedRecord(byte)
        } else {
            guard byte == UInt8(ascii: "{") else {
                line = currentLine
                isInRecord = byte != nil
                let kind = try scanValue(depth: depthOfRecords)
                recordEnd = window.offset
                isWhole = true
                throw error(.malformed, message: "the record is \(kind.name); every record must be an object")
            }
            try readRecord()
        }
        return true
    }

    private mutating func beginElement() {
        record += 1
        isInRecord = true
        line = currentLine
    }

    /// How deep a record is: under the array, and under the objects around it.
    var depthOfRecords: Int { layout.shape == .lines ? 1 : 2 + layout.root.count }
}
