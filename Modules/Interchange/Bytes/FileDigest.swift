/// The size and the SHA-256 of a file, which identify its content.
public struct FileDigest: Sendable, Hashable {
    /// The number of bytes of the file.
    public var bytes: Int64
    /// The SHA-256 of the file in hexadecimal digits.
    public var sha256: String

    /// Creates a digest from a size and a SHA-256 that are already known.
    public init(bytes: Int64, sha256: String) {
        self.bytes = bytes
        self.sha256 = sha256
    }
}
