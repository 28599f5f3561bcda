package import StrataCore

extension StoredRow {
    /// How many bytes it takes, about.
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
