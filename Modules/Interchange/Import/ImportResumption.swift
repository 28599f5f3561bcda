import Persistence

/// How far an import that commits now and then has come, kept in the store with the records it stored.
struct ImportResumption {
    /// How much of a file's beginning tells it from another one.
    private static let fingerprintLength = 4096

    private var key = ""
    private var fingerprint = ""
    /// Records that were read and dealt with before.
    private(set) var records = 0

    /// Notes which file it is, by its beginning and its size.
    mutating func identify(_ input: ByteInput, _ entity: EntityDescription) {
        guard key.isEmpty else { return }
        key = "import \(entity.name) \(input.name.split(separator: "/").last ?? "")"
        // What cannot be read is found by the reader, which says so with its place.
        let beginning = (try? input.peek(Self.fingerprintLength)) ?? []
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in beginning { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        fingerprint = "\(hash) \(input.byteCount.map(String.init) ?? "-")"
    }

    /// Looks for an import of the file that was broken off.
    ///
    /// - Throws: ``InterchangeError/Code/unsupported`` when the file is another one since.
    mutating func find(_ input: ByteInput, _ entity: EntityDescription, _ store: any PersistentStore) throws {
        identify(input, entity)
        guard let text = try store.metadata(forKey: key) else { return }
        let parts = text.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let count = Int(parts[0]) else { return }
        guard parts[1] == fingerprint else {
            throw InterchangeError(
                .unsupported, source: input.name,
                message: "the file was changed since its import was broken off behind record \(count); "
                    + "import it without going on, or the file as it was")
        }
        records = count
    }

    /// Keeps how far it has come; nothing at the end.
    func note(_ records: Int, isEnd: Bool, _ writer: BatchWriter) throws {
        guard !key.isEmpty else { return }
        try writer.setMetadata(isEnd ? nil : "\(records) \(fingerprint)", forKey: key)
    }
}
