import StrataCore

/// Takes the bytes of a store one part after the other.
protocol AtomicOutput: AnyObject {
    /// Adds bytes at the end.
    func write(_ bytes: UnsafeRawBufferPointer) throws
    /// Puts other bytes in the place of as many first ones.
    func overwriteStart(_ bytes: [UInt8]) throws
}

/// Gathers the bytes of a store in memory.
final class MemoryOutput: AtomicOutput {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: UnsafeRawBufferPointer) throws { self.bytes.append(contentsOf: bytes) }

    func overwriteStart(_ bytes: [UInt8]) throws {
        self.bytes.replaceSubrange(0..<min(bytes.count, self.bytes.count), with: bytes)
    }
}
