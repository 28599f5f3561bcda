/// A reader of the objects of a JSON document one by one, in the memory of one object and one block.
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
/// ``JSONRecordLayout`` determines the location of the objects. The syntax is exactly RFC 8259: no comments, no
/// trailing commas, no control characters in strings, no lone surrogates, and nothing after the document. A byte order
/// mark is skipped. `\u0000` is an error, because no store can store it. A repeated key is an error in records and in
/// the document's object; inside values that are skipped, it is not detected.
///
/// The members are in the reader's buffer and are valid until the next call of ``next()``. Do not use one instance from
/// several threads at once.
///
/// Use a reader if a program needs the records of a document without storing them. ``DatasetImporter`` uses it to store
/// records. The document is validated while it is read: a syntax error after the last record is thrown by the call of
/// ``next()`` that reaches it. A reader does not close its input, and it reads ahead, so do not read the input while
/// the reader is in use.
///
/// A layout for an array without a root also accepts NDJSON. If the document begins with an object, its first 64 KiB
/// determine whether it consists of consecutive objects or is one record. A file that a ``RejectsFile`` wrote is
/// recognized by its first line; its comment lines are skipped.
///
/// Values are not converted. A number has its text in the document, so that no digit is lost, and the program converts
/// it:
///
/// ```swift
/// var reader = try JSONRecordReader(ByteInput(path: "prices.ndjson"), layout: JSONRecordLayout(.lines))
/// var total = 0.0
/// while try reader.next() {
///     for member in 0..<reader.memberCount where reader.kind(ofMember: member) == .number {
///         total += Double(reader.text(ofMember: member)) ?? 0
///     }
/// }
/// ```
///
/// ## Topics
///
/// ### Creating a reader
///
/// - ``init(_:layout:recordLimit:encoding:)``
/// - ``defaultRecordLimit``
/// - ``maximumDepth``
///
/// ### Reading records
///
/// - ``next()``
/// - ``recover()``
/// - ``record``
/// - ``line``
/// - ``withOriginal(_:)``
///
/// ### Reading the members of a record
///
/// - ``memberCount``
/// - ``key(ofMember:)``
/// - ``kind(ofMember:)``
/// - ``text(ofMember:)``
/// - ``line(ofMember:)``
/// - ``withKey(ofMember:_:)``
/// - ``withText(ofMember:_:)``
///
/// ### Reporting problems
///
/// - ``error(_:member:message:)``
public struct JSONRecordReader: ~Copyable {
    /// The default maximum count of bytes in the values of one object.
    ///
    /// It is 16 MiB. Keys, escapes and white space do not count. In the document, an object may have six times as many
    /// bytes, and an additional mebibyte.
    public static let defaultRecordLimit = 16 * 1024 * 1024

    /// The maximum nesting depth of arrays and objects, including the document.
    ///
    /// A record in an array has depth 2, and one more for each key of the layout's root. Deeper values are errors with
    /// the code ``InterchangeError/Code/malformed``. The reader itself needs no recursion for nested values.
    public static let maximumDepth = 512

    /// The maximum count of members in a record; it bounds the memory, and exceeds the column count of any store.
    static let maximumMembers = 65_536

    /// The physical line on which the current record begins, from 1.
    ///
    /// An object may span several lines; ``line(ofMember:)`` returns the line of a member.
    public internal(set) var line = 1

    /// The number of the current record, from 1; before the first record, it is 0.
    ///
    /// An object that could not be read has a number too, and so does an element that is not an object.
    public internal(set) var record = 0

    /// The line of the window's position.
    var currentLine = 1
    /// The part of the input that is in memory; in a record, its anchor is the beginning of the record.
    var window: ByteWindow
    /// A Boolean value that indicates whether the anchor is the beginning of a record, whose bytes must be retained.
    var isInRecord = false
    /// The members of the current record, in the order of the document.
    var members: [Member] = []
    /// Texts with escapes, which differ from the bytes in the window.
    var scratch: [UInt8] = []
    /// The location of the string that was read last as a value.
    var scannedString = Text(range: 0..<0)
    /// The end of the record, from the window's anchor on.
    var recordEnd = 0
    /// The maximum size of a record: of its values, and of its text in the document.
    let limit: RecordLimit
    /// The count of bytes in the values of the current record so far; not counted for simple objects.
    var held = 0
    /// The count of spaces and tabs before the last token around the records; -1 if it is not the first on its line.
    var indentation = -1
    /// A Boolean value that indicates whether the position is at the beginning of a record after an unreadable record.
    var resumesAtRecord = false
    /// The line of the record after which no other record was found.
    private(set) var lostLine: Int?
    /// The layout that applies, which may differ from the requested one for NDJSON and for rejected records.
    private(set) var layout: JSONRecordLayout
    /// A Boolean value that indicates whether the input is a file of rejected records with their reasons.
    private(set) var isRejects = false
    /// The keys of the objects around the records, outermost first.
    var documentKeys: [JSONDocumentKeys] = []
    /// Names of members that have no key in the record, or have a path.
    var names: [String] = []
    /// A Boolean value that indicates whether reading ended, at the end of the document or with an error.
    private var isFinished = false
    /// A Boolean value that indicates whether the last error is that the record is too long.
    var isTooLong = false
    /// A Boolean value that indicates whether the rejected record was read completely.
    ///
    /// The position is then after the record.
    var isWhole = false
    /// The statistics of the bytes that were skipped after an unreadable record.
    var passed = SkippedElement()

    /// The location of a text: in the window, from its anchor on, or in the scratch memory.
    ///
    /// Texts are locations instead of copies, so that a record needs no memory of its own. An offset from the anchor
    /// stays valid if the window moves its bytes.
    struct Text {
        var range: Range<Int>
        var isInScratch = false
    }

    /// A member of the record: a key and its value.
    ///
    /// The value is stored by its location only. Arrays and objects were validated, and their location is the verbatim
    /// text.
    struct Member {
        var key: Text
        var kind: JSONKind
        var value: Text
        var line: Int
        /// The index of its name, if it differs from its key.
        var name: Int?
    }

    /// Creates a reader and moves to the beginning of the records.
    ///
    /// The initializer reads the document up to the container of the records. The values of other keys before it are
    /// validated and skipped. If the input is a pipe, the call waits until these bytes are available.
    ///
    /// - Parameters:
    ///   - input: The input, which ``next()`` reads to its end.
    ///   - layout: The location of the records in the document.
    ///   - recordLimit: The maximum count of bytes in the values of one object, not counting escapes; at least 1.
    ///   - encoding: The encoding of the input; if it is `nil`, the encoding is UTF-8 or detected as UTF-16.
    /// - Throws: ``InterchangeError/Code/header`` with the existing keys if the records are not at the expected
    ///   location, or if the document is empty and not NDJSON; ``InterchangeError/Code/malformed`` if the text before
    ///   them is not JSON, or if a byte order mark contradicts the encoding; ``InterchangeError`` if the input cannot
    ///   be read.
    public init(
        _ input: ByteInput, layout: JSONRecordLayout = JSONRecordLayout(), recordLimit: Int = defaultRecordLimit,
        encoding: TextEncoding? = nil
    ) throws(InterchangeError) {
        self.layout = layout
        limit = RecordLimit(recordLimit)
        // A file of rejected records is in UTF-8, whatever the encoding of the source file.
        let mark = Array(RejectsMark.firstLine.utf8)
        window = ByteWindow(input, limit: limit.spelled)
        isRejects = try input.peek(mark.count) == mark
        let decoded = isRejects ? input : try input.decoded(from: encoding)
        if decoded !== input { window = ByteWindow(decoded, limit: limit.spelled) }
        try window.skipByteOrderMark()
        // Editors may write a byte order mark before the first line of such a file.
        if try window.holds(mark) { isRejects = true }
        if isRejects {
            self.layout.root = []
            if layout.shape == .array { self.layout.shape = .lines }
        }
        try skipComments()
        if try beginsWithRecords() { self.layout.shape = .lines }
        if self.layout.shape != .lines { try openDocument() }
    }

    /// Returns a Boolean value that indicates whether a document read as an array has consecutive records instead.
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
    /// An element that is not an object is an error. So is a key that occurs twice in the object. If the input is a
    /// pipe, the call waits for the bytes of a whole object.
    ///
    /// - Returns: `true` if an object was read; `false` at the end of the document.
    /// - Throws: ``InterchangeError/Code/malformed`` with the line, the record and the expected token, or the errors of
    ///   reading. After an error there are no more records, unless ``recover()`` is called.
    /// - Complexity: O(*n*) in the object's bytes, and O(*m* log *m*) in its members. Memory is allocated only if the
    ///   object is longer than all earlier ones.
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

    /// Moves to the next record after an error of ``next()``.
    ///
    /// For records on lines, reading continues with the line after the location of the error, or after the record's
    /// first line if the record is too long. For records in an array or an object, reading continues with the next
    /// record. Its position is determined by matching brackets and quotes, or by line if each record has its own line.
    /// If the bytes to be skipped look like more than one record, as between two missing quotes, nothing is skipped.
    ///
    /// ``withOriginal(_:)`` returns the bytes that are skipped.
    ///
    /// If the result is `false`, stop reading: the following text may be inside of a record. The skipped record keeps
    /// its number. If ``next()`` did not throw an error, the method has no effect and returns `true`.
    ///
    /// - Returns: `false` if the beginning of the next record cannot be found, and for errors outside of the records.
    /// - Throws: ``InterchangeError`` if the input cannot be read.
    /// - Complexity: O(*n*) in the bytes that are skipped.
    public mutating func recover() throws(InterchangeError) -> Bool {
        guard isFinished else { return true }
        members.removeAll(keepingCapacity: true)
        if layout.shape == .lines {
            // The amount read of a too long record depends on the block size; its beginning does not.
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

    /// Reads the next of consecutive objects; returns `false` at the end of the input.
    private mutating func nextLine() throws(InterchangeError) -> Bool {
        try skipComments()
        guard try skipWhitespace() != nil else { return false }
        // Concatenated files have a byte order mark before each of them.
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

    /// Reads the next element of an array, or the next member of an object; returns `false` after the last one.
    ///
    /// The rest of the document is validated after the last one. An array without a comma between two elements is an
    /// error of the second element, so that recovery can continue after it.
    private mutating func nextElement() throws(InterchangeError) -> Bool {
        let end = layout.shape == .members ? UInt8(ascii: "}") : UInt8(ascii: "]")
        let blanks = indentation
        var byte = try skipWhitespace()
        // If the previous record was skipped by lines, its line break was consumed too.
        if resumesAtRecord { indentation = blanks }
        var isBehindComma = record == 0 || resumesAtRecord
        resumesAtRecord = false
        while byte == end {
            guard isRejects, layout.shape == .members else {
                try closeDocument()
                return false
            }
            // Each rejected member is in a separate object.
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
                // The next text may be a record without a comma before it.
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

    /// The nesting depth of a record: inside the array, and inside the objects around it.
    var depthOfRecords: Int { layout.shape == .lines ? 1 : 2 + layout.root.count }
}
