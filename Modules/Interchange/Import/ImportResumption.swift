import StrataCore
import StrataStoreKit

/// The progress of an import with a commit interval, stored in the store together with the records.
///
/// The progress is a text of the store's metadata: the count of records, the fingerprint of the last record, the count
/// of rejected records, the settings, and `whole` if the import was complete. It is written in the transaction of the
/// records, so both are committed or neither.
struct ImportResumption {
    private let key: String
    /// The count of records that were already processed.
    private(set) var records = 0
    /// The fingerprint of the last processed record.
    private var lastRecord: UInt64 = 0
    /// The count of processed records that were skipped.
    private(set) var rejected = 0
    /// A Boolean value that indicates whether the earlier import was complete.
    private(set) var wasWhole = false
    /// The settings of the earlier import; `nil` if another version of the program stored them.
    private var circumstances: ImportFingerprint?

    /// Creates the progress of a dataset, without any records.
    ///
    /// Folders are ignored, so that files may be moved between two runs. If several datasets have the same entity and
    /// file name, `occurrence` numbers them from 1.
    init(_ input: ByteInput, _ entity: EntityDescription, occurrence: Int) {
        let name = Self.name(of: input)
        key = "import \(entity.name) \(name)\(occurrence > 1 ? " \(occurrence)" : "")"
    }

    /// Returns the file's name without its folders.
    static func name(of input: ByteInput) -> Substring { input.name.split(separator: "/").last ?? "" }

    /// Finds the stored progress of an earlier import of the file, whether interrupted or complete.
    ///
    /// If a text has another form, which a later version may have written, it is ignored.
    mutating func find(_ store: any BulkWriting) throws {
        let parts = try store.metadata(forKey: key)?.split(separator: " ") ?? []
        guard parts.count >= 2, let records = Int(parts[0]), let lastRecord = UInt64(parts[1]) else { return }
        (self.records, self.lastRecord, wasWhole) = (
            records, lastRecord, parts.dropFirst(2).last.map(String.init) == Self.whole
        )
        rejected = parts.count > 2 ? Int(parts[2]) ?? 0 : 0
        circumstances = ImportFingerprint(parts.dropFirst(3).filter { $0 != Self.whole })
    }

    private static let whole = "whole"

    /// Discards the progress of the earlier import.
    mutating func forget() { (records, lastRecord, rejected, wasWhole) = (0, 0, 0, false) }

    /// Returns a Boolean value that indicates whether the last processed record is unchanged.
    ///
    /// Later records may have been edited in the meantime.
    func matches(_ found: (record: Int, fingerprint: UInt64)) -> Bool {
        found.record == records && found.fingerprint == lastRecord
    }

    /// Returns the error for a different file.
    func error(_ input: ByteInput) -> InterchangeError {
        InterchangeError(
            .changed, source: input.name, record: records,
            message:
                "the file is not the one whose import was interrupted after this record; import it without --resume")
    }

    /// Throws if the settings differ from those of the earlier import.
    func check(_ current: ImportFingerprint, _ input: ByteInput) throws(InterchangeError) {
        let differences = circumstances.map { $0.differences(from: current) } ?? ["the version of the program"]
        guard !differences.isEmpty else { return }
        throw InterchangeError(
            .changed, source: input.name, record: records,
            message: "the import \(wasWhole ? "ended" : "was interrupted") after this record with other options: "
                + "\(differences.joined(separator: ", ")); resume with the same options, or import from the beginning")
    }

    /// Stores the progress.
    ///
    /// It is also stored at the end, so that an import is not repeated if the process is killed between its last commit
    /// and its exit.
    func note(
        _ records: Int, lastRecord: UInt64, rejected: Int, circumstances: ImportFingerprint, isEnd: Bool,
        writer: BatchWriter
    ) throws {
        let words = ["\(records)", "\(lastRecord)", "\(self.rejected + rejected)", circumstances.text]
        try writer.setMetadata((words + (isEnd ? [Self.whole] : [])).joined(separator: " "), forKey: key)
    }

    /// Returns a hash that distinguishes records (FNV-1a).
    static func fingerprint(_ record: Span<UInt8>) -> UInt64 {
        StableHash.fnv1a(record)
    }
}
