extension ByteInput {
    /// Returns the whole content of a small file, for example a manifest or a description.
    ///
    /// - Parameters:
    ///   - path: The path of the file, which can be in a ZIP archive, as in `data.zip:datapackage.json`.
    ///   - limit: The maximum count of bytes that the caller needs. If the file is longer, reading stops shortly after
    ///     this limit.
    /// - Returns: The bytes of the file.
    /// - Throws: ``InterchangeError/Code/inputNotFound``, ``InterchangeError/Code/permission`` or
    ///   ``InterchangeError/Code/unreadable``, with the path of the file.
    public static func contents(of path: String, atMost limit: Int = .max) throws(InterchangeError) -> [UInt8] {
        let input: ByteInput
        if let member = MemberPath(path) {
            input = try ByteInput.member(member, blockSize: defaultBlockSize)
        } else {
            input = try ByteInput(path: path)
        }
        var bytes: [UInt8] = []
        var block = [UInt8](repeating: 0, count: input.blockSize)
        while true {
            let count = try input.read(into: &block, at: 0)
            guard count > 0, bytes.count <= limit else { return bytes }
            bytes.append(contentsOf: block[..<count])
        }
    }
}
