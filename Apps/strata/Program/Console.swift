import StrataInterchange

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

    /// Writes what was done to standard output; where nobody can be told, that it is done is part of the error.
    ///
    /// - Parameters:
    ///   - text: What was done.
    ///   - done: What the error says behind its own words.
    /// - Throws: As ``print(_:)``.
    static func print(_ text: String, doneAlready done: String) throws(InterchangeError) {
        do throws(InterchangeError) { try print(text) } catch {
            guard error.code != .closedPipe else { throw error }
            var failure = error
            failure.message += done
            throw failure
        }
    }

    /// The text with control characters other than line breaks as escapes, so that no file commands the terminal.
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

    /// Writes text to standard error as it is.
    ///
    /// There is nobody to tell when that fails.
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

/// `write(2)`, whose name is taken above.
private func writeBytes(_ descriptor: Int32, to bytes: UnsafeRawPointer?, bytes count: Int) -> Int {
    write(descriptor, bytes, count)
}
