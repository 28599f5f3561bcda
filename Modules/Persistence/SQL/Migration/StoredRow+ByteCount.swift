package import StrataCore

extension StoredRow {
    /// The approximate size of the row in memory, in bytes.
    package var byteCount: Int {
        var bytes = values.count * MemoryLayout<StoredValue>.stride
        for value in values {
            switch value {
            case .string(let text): bytes += text.utf8.count
            case .binary(let data): bytes += data.count
            default: break
            }
        }
        return bytes
    }
}
