/// The digest algorithms that dataset descriptions name.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    /// MD5 (RFC 1321).
    case md5
    /// SHA-1 (FIPS 180-4).
    case sha1
    /// SHA-256 (FIPS 180-4).
    case sha256
    /// SHA-512 (FIPS 180-4).
    case sha512

    /// Returns the digest of the rest of an input; if the bytes are compressed, they are not decompressed.
    ///
    /// - Parameter input: The input, which is read to its end.
    /// - Returns: The digest in lowercase hexadecimal digits.
    /// - Throws: ``InterchangeError`` if the input cannot be read.
    /// - Complexity: O(*n*) in the number of bytes, in the memory of one block.
    public func digest(of input: ByteInput) throws(InterchangeError) -> String {
        switch self {
        case .md5: try Self.digest(of: input, StreamedHash<MD5Rounds>())
        case .sha1: try Self.digest(of: input, StreamedHash<SHA1Rounds>())
        case .sha256: try Self.digest(of: input, SHA256())
        case .sha512: try Self.digest(of: input, StreamedHash<SHA512Rounds>())
        }
    }

    private static func digest<Rounds>(
        of input: ByteInput, _ hash: consuming StreamedHash<Rounds>
    ) throws(InterchangeError) -> String {
        var buffer = [UInt8](repeating: 0, count: input.blockSize)
        while true {
            let count = try input.read(into: &buffer, at: 0)
            guard count > 0 else { return hash.finish() }
            buffer.withUnsafeBytes { hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }
}
