import StrataCore

/// A part of a file, made by one thread.
///
/// SAFETY: a chunk belongs to the thread that took it until the thread returns it to the output.
final class OutputChunk: @unchecked Sendable {
    var buffer = ByteBuffer(capacity: 64 * 1024)
}
