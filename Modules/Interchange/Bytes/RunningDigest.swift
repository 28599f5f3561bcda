/// The number and the digest of bytes that come piece by piece.
package final class RunningDigest {
    private var digest = SHA256()
    private var count: Int64 = 0

    package init() {}

    package func update(_ bytes: UnsafeRawBufferPointer) {
        digest.update(bytes)
        count += Int64(bytes.count)
    }

    /// What there was; nothing may come afterwards.
    package func finish() -> FileDigest { FileDigest(bytes: count, sha256: digest.finish()) }
}
