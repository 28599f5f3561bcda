/// The count and the digest of bytes that arrive in pieces.
package final class RunningDigest {
    private var digest = SHA256()
    private var count: Int64 = 0

    package init() {}

    package func update(_ bytes: UnsafeRawBufferPointer) {
        digest.update(bytes)
        count += Int64(bytes.count)
    }

    /// Returns the digest; nothing may be added afterwards.
    package func finish() -> FileDigest { FileDigest(bytes: count, sha256: digest.finish()) }
}
