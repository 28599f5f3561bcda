import StrataCore

/// How far an import that commits now and then has come, kept in the store with the records it stored.
struct ImportResumption {
    private let key: String
    /// Records that were read and dealt with before.
    private(set) var records = 0
    /// What the last of them was like.
    private var lastRecord: UInt64 = 0
    /// How many of them were left out.
    private(set) var rejected = 0
    /// Whether they were all: the import came to its end.
    private(set) var wasWhole = false
    /// What decided what they became; nil where another version of the program did.
    private var circumstances: ImportCircumstances?

    /// Begins without any record.
    ///
    /// Folders are not told apart, so that files may move between two calls: of several datasets of one entity and file name, `occurrence` says from 1
    /// which it is.
    init(_ input: ByteInput, _ entity: EntityDescription, occurrence: Int) {
        let name = Self.name(of: input)
        key = "import \(entity.name) \(name)\(occurrence > 1 ? " \(occurrence)" : "")"
    }

    /// The file's name without its folders.
    static func name(of input: ByteInput) -> Substring { input.name.split(separator: "/").last ?? "" }

    /// Looks for an import of the file that was broken off, or came to its end.
    mutating func find(_ store: any BulkWriting) throws {
        let parts = try store.metadata(forKey: key)?.split(separator: " ") ?? []
        guard parts.count >= 2, let records = Int(parts[0]), let lastRecord = UInt64(parts[1]) else { return }
        (self.records, self.lastRecord, wasWhole) = (
            records, lastRecord, parts.dropFirst(2).last.map(String.init) == Self.whole
        )
        rejected = parts.count > 2 ? Int(parts[2]) ?? 0 : 0
        circumstances = ImportCircumstances(parts.dropFirst(3).filter { $0 != Self.whole })
    }

    private static let whole = "whole"

    /// Forgets what was before.
    mutating func forget() { (records, lastRecord, rejected, wasWhole) = (0, 0, 0, false) }

    /// Whether the record behind which it goes on is the one it was; what comes after it may have been mended meanwhile.
    func matches(_ found: (record: Int, fingerprint: UInt64)) -> Bool {
        found.record == records && found.fingerprint == lastRecord
    }

    /// The error for a file that is another one.
    func error(_ input: ByteInput) -> InterchangeError {
        InterchangeError(
            .changed, source: input.name, record: records,
            message:
                "the file is not the one whose import was broken off behind this record; import it without going on")
    }

    /// Makes sure that the records to come are read as those before were.
    func check(_ current: ImportCircumstances, _ input: ByteInput) throws(InterchangeError) {
        let differences = circumstances.map { $0.differences(from: current) } ?? ["the version of the program"]
        guard !differences.isEmpty else { return }
        throw InterchangeError(
            .changed, source: input.name, record: records,
            message: "the import \(wasWhole ? "ended" : "was broken off") behind this record with something else: "
                + "\(differences.joined(separator: ", ")); go on as it began, or import without going on")
    }

    /// Keeps how far it has come.
    ///
    /// Also at the end: a process that is killed between its last commit and its exit must not do it all again.
    func note(
        _ records: Int, lastRecord: UInt64, rejected: Int, circumstances: ImportCircumstances, isEnd: Bool,
        writer: BatchWriter
    ) throws {
        let words = ["\(records)", "\(lastRecord)", "\(self.rejected + rejected)", circumstances.text]
        try writer.setMetadata((words + (isEnd ? [Self.whole] : [])).joined(separator: " "), forKey: key)
    }

    /// A number that tells one record from another (FNV-1a).
    static func fingerprint(_ record: Span<UInt8>) -> UInt64 {
        StableHash.fnv1a(record)
    }
}
