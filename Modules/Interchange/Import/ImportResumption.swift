import Persistence

/// How far an import that commits now and then has come, kept in the store with the records it stored.
struct ImportResumption {
    private let key: String
    /// Records that were read and dealt with before.
    private(set) var records = 0
    /// What the last of them was like.
    private var lastRecord: UInt64 = 0

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

    /// Looks for an import of the file that was broken off.
    mutating func find(_ store: any PersistentStore) throws {
        let numbers = try store.metadata(forKey: key)?.split(separator: " ") ?? []
        guard numbers.count == 2, let records = Int(numbers[0]), let lastRecord = UInt64(numbers[1]) else { return }
        (self.records, self.lastRecord) = (records, lastRecord)
    }

    /// Makes sure that the record behind which it goes on is the one it was.
    ///
    /// What comes after it may have been mended meanwhile.
    ///
    /// - Throws: ``InterchangeError/Code/unsupported`` when it is another one.
    func check(_ found: (record: Int, fingerprint: UInt64), _ input: ByteInput) throws(InterchangeError) {
        guard records > 0, found.record != records || found.fingerprint != lastRecord else { return }
        throw InterchangeError(
            .unsupported, source: input.name, record: records,
            message:
                "the file is not the one whose import was broken off behind this record; import it without going on")
    }

    /// Keeps how far it has come; nothing at the end.
    func note(_ records: Int, _ lastRecord: UInt64, isEnd: Bool, _ writer: BatchWriter) throws {
        try writer.setMetadata(isEnd ? nil : "\(records) \(lastRecord)", forKey: key)
    }

    /// A number that tells one record from another (FNV-1a).
    static func fingerprint(_ record: Span<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in record.indices { hash = (hash ^ UInt64(record[index])) &* 0x100_0000_01B3 }
        return hash
    }
}
