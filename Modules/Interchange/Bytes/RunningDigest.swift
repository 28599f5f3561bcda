/// A computation of the count and the SHA-256 of bytes that are added in parts.
package final class RunningDigest {
    private var digest = SHA256()
    private var count: Int64 = 0

    package init() {}

    package func update(_ bytes: UnsafeRawBufferPointer) {
        digest.update(bytes)
        count += Int64(bytes.count)
    }

    /// Returns the count and the SHA-256 of all added bytes; no bytes may be added afterwards.
    package func finish() -> FileDigest { FileDigest(bytes: count, sha256: digest.finish()) }
}
