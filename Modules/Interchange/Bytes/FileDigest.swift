/// What tells a file from every other one: its size and its SHA-256.
public struct FileDigest: Sendable, Hashable {
    /// The number of bytes.
    public var bytes: Int64
    /// The SHA-256 in hexadecimal digits.
    public var sha256: String

    /// A digest that somebody else has.
    public init(bytes: Int64, sha256: String) {
        self.bytes = bytes
        self.sha256 = sha256
    }
}
