import StrataCore

/// A receiver of the bytes of a store's file.
protocol AtomicOutput: AnyObject {
    /// Appends bytes to the output.
    func write(_ bytes: UnsafeRawBufferPointer) throws
    /// Replaces the first bytes of the output by the same count of other bytes.
    func overwriteStart(_ bytes: [UInt8]) throws
}

/// An output that collects the bytes of a store in memory.
final class MemoryOutput: AtomicOutput {
    private(set) var bytes: [UInt8] = []

    func write(_ bytes: UnsafeRawBufferPointer) throws { self.bytes.append(contentsOf: bytes) }

    func overwriteStart(_ bytes: [UInt8]) throws {
        self.bytes.replaceSubrange(0..<min(bytes.count, self.bytes.count), with: bytes)
    }
}
