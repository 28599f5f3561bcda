extension ByteInput {
    /// Everything that a small file holds: a manifest, a description.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - limit: The most bytes that are wanted: of a longer file some more than these are read, and no others.
    /// - Returns: Its bytes, in memory.
    /// - Throws: ``InterchangeError/Code/inputNotFound``, ``InterchangeError/Code/permission`` or ``InterchangeError/Code/unreadable``, with the path.
    public static func contents(of path: String, atMost limit: Int = .max) throws(InterchangeError) -> [UInt8] {
        let input = try ByteInput(path: path)
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: input.blockSize)
        while true {
            let count = try input.read(into: &block, at: 0)
            guard count > 0, bytes.count <= limit else { return bytes }
            bytes.append(contentsOf: block[..<count])
        }
    }
}
