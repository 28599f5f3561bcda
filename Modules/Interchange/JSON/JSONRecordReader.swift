/// Reads the objects of a JSON array one by one, in the memory of one object and one block.
///
/// ```swift
/// var reader = try JSONRecordReader(ByteInput(path: "colors.json"), root: "colors")
/// while try reader.next() {
///     for member in 0..<reader.memberCount where reader.key(ofMember: member) == "hex" {
///         let hex = reader.text(ofMember: member)
///     }
/// }
/// ```
///
/// The array is the document, or the value of a key of the document's object. RFC 8259 is taken at its word: no comments,
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
    /// Where the text of the string is that was read last as a value.
    var scannedString = 0..<0
    let recordLimit: Int
    let root: String?
    /// The keys of the document's object, while it is one.
    var documentKeys = JSONDocumentKeys()
    private var isFinished = false

    /// Where a member is in the window, from its anchor on.
    struct Member {
        var key: Range<Int>
        var kind: JSONKind
        var value: Range<Int>
        var line: Int
    }

    /// Goes to the beginning of the array.
    ///
    /// - Parameters:
    ///   - input: Where the bytes come from; read to its end by ``next()``.
    ///   - root: The key under which the document's object holds the array; nil when the document is the array.
    ///   - recordLimit: The most bytes of one object, spaces included; at least 1.
    /// - Throws: ``InterchangeError/Code/header`` when the array is not where it should be, naming the keys there are;
    ///   ``InterchangeError/Code/malformed`` when what is before it is not JSON.
    public init(
        _ input: ByteInput, root: String? = nil, recordLimit: Int = defaultRecordLimit
    ) throws(InterchangeError) {
        self.root = root
        self.recordLimit = max(1, recordLimit)
        window = ByteWindow(input, limit: self.recordLimit)
        try window.skipByteOrderMark()
        try openArray()
    }

    /// Reads the next object.
    ///
    /// - Returns: False at the end of the document, and ever after.
    /// - Throws: ``InterchangeError/Code/malformed`` with the line, the record and what was expected, or what reading
    ///   throws. After an error there are no more records.
    /// - Complexity: O(*n*) in the object's bytes, and O(*m* log *m*) in its members; allocates nothing but for an object
    ///   larger than those before.
    public mutating func next() throws(InterchangeError) -> Bool {
        guard !isFinished else { return false }
        isFinished = true
        members.removeAll(keepingCapacity: true)
        var byte = try skipWhitespace()
        if byte == UInt8(ascii: "]") {
            try closeArray()
            return false
        }
        if record > 0 {
            guard byte == UInt8(ascii: ",") else { throw expected("a comma or ]", found: byte) }
            window.position += 1
            byte = try skipWhitespace()
        }
        record += 1
        guard byte == UInt8(ascii: "{") else {
            line = currentLine
            let kind = try scanValue(depth: depthOfRecords)
            throw error(.malformed, message: "the record is \(kind.name); every record must be an object")
        }
        try readRecord()
        isFinished = false
        return true
    }

    /// How deep a record is: under the array, and under the document's object when there is a root.
    var depthOfRecords: Int { root == nil ? 2 : 3 }
}
