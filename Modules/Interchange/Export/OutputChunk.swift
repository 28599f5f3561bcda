import StrataCore

/// A buffer for a part of a file that one thread creates.
///
/// SAFETY: a chunk belongs to the thread that took it until the thread returns it to the output.
final class OutputChunk: @unchecked Sendable {
    var buffer = ByteBuffer(capacity: 64 * 1024)
}
