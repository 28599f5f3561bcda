/// A source of bytes that is read block by block.
package protocol ByteSource: AnyObject {
    /// Returns the next bytes, which are empty only at the end.
    func next() throws(ContainerError) -> [UInt8]
}

extension ByteSource {
    /// Returns all bytes of the source; more bytes than the maximum are an error.
    package func contents(atMost maximum: Int) throws(ContainerError) -> [UInt8] {
        var bytes: [UInt8] = []
        while true {
            let block = try next()
            if block.isEmpty { return bytes }
            guard bytes.count + block.count <= maximum else {
                throw ContainerError(.unsupported, "it has more than \(maximum) bytes")
            }
            bytes += block
        }
    }
}

/// A source of the bytes of an array, in blocks of a given size.
package final class ByteArraySource: ByteSource {
    private let bytes: [UInt8]
    private let blockSize: Int
    private var position = 0

    /// Creates a source.
    ///
    /// - Parameters:
    ///   - bytes: All bytes.
    ///   - blockSize: The count of bytes in a block, at least 1.
    package init(_ bytes: [UInt8], blockSize: Int = .max) { (self.bytes, self.blockSize) = (bytes, max(1, blockSize)) }

    package func next() throws(ContainerError) -> [UInt8] {
        // All bytes in one block are shared instead of copied.
        if position == 0, bytes.count <= blockSize {
            position = bytes.count
            return bytes
        }
        let end = position + min(blockSize, bytes.count - position)
        defer { position = end }
        return Array(bytes[position..<end])
    }
}
