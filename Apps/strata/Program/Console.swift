import Interchange

/// Data goes to standard output, messages to standard error.
enum Console {
    /// Writes text to standard output.
    ///
    /// - Throws: `InterchangeError` when nobody reads it any more, or the disk behind it is full.
    static func print(_ text: String) throws(InterchangeError) {
        let output = ByteOutput.standardOutput()
        try output.append(Array(text.utf8))
        try output.flush()
    }

    /// Writes one line to standard error.
    ///
    /// There is nobody to tell when that fails.
    static func note(_ message: String) {
        var line = message + "\n"
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = write(STDERR_FILENO, rest.baseAddress, rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}
