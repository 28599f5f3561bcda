import StrataInterchange

/// The standard streams: data is written to standard output, and messages to standard error.
enum Console {
    /// Writes text to standard output.
    ///
    /// - Throws: `InterchangeError` if the reader has closed the pipe, or if the disk is full.
    static func print(_ text: String) throws(InterchangeError) {
        let output = ByteOutput.standardOutput()
        try output.append(Array(text.utf8))
        try output.flush()
    }

    /// Writes the result of a completed action to standard output; an error states that the action is complete.
    ///
    /// - Parameters:
    ///   - text: The result.
    ///   - done: The text that is appended to the message of an error.
    /// - Throws: The errors of ``print(_:)``.
    static func print(_ text: String, doneAlready done: String) throws(InterchangeError) {
        do throws(InterchangeError) { try print(text) } catch {
            guard error.code != .closedPipe else { throw error }
            var failure = error
            failure.message += done
            throw failure
        }
    }

    /// Returns the text with control characters except line breaks escaped, so that it cannot control the terminal.
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x0A: result.unicodeScalars.append(scalar)
            case 0x0D: result += "\\r"
            case 0x09: result += "\\t"
            case 0..<0x20, 0x7F..<0xA0: result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// Writes one line to standard error.
    static func note(_ message: String) { write(escaped(PasswordGuard.hidden(in: message)) + "\n") }

    /// Writes text to standard error verbatim.
    ///
    /// Ignores write errors.
    static func write(_ text: String) {
        var line = text
        line.withUTF8 { bytes in
            var rest = UnsafeRawBufferPointer(bytes)
            while !rest.isEmpty {
                let count = writeBytes(STDERR_FILENO, to: rest.baseAddress, bytes: rest.count)
                if count < 0, errno == EINTR { continue }
                guard count > 0 else { return }
                rest = UnsafeRawBufferPointer(rebasing: rest[count...])
            }
        }
    }
}

/// Calls `write(2)`, whose name is hidden inside the type above.
private func writeBytes(_ descriptor: Int32, to bytes: UnsafeRawPointer?, bytes count: Int) -> Int {
    write(descriptor, bytes, count)
}
