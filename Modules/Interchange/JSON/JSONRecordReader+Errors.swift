extension JSONRecordReader {
    /// Returns an error at the current record.
    ///
    /// Use this method for errors that the program finds itself in a record that was read. The method does not throw,
    /// and the reader continues as if no error existed.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - member: The number of the member from 0, if the error concerns one; the error contains its key.
    ///   - message: The description of the problem, the violated rule, and the solution.
    /// - Returns: The error with the file's name, the line, the record and the key.
    public func error(_ code: InterchangeError.Code, member: Int? = nil, message: String) -> InterchangeError {
        InterchangeError(
            code,
            source: window.input.name,
            line: record > 0 ? line : nil,
            record: record > 0 ? record : nil,
            column: member.map { key(ofMember: $0) },
            message: message
        )
    }

    /// The error for a record, or a value outside of all records, that exceeds the limit.
    var tooLong: InterchangeError {
        let what = isInRecord ? "the record" : "a value"
        return error(
            .malformed, message: "\(what) is longer than \(limit.held) bytes; longer ones can be allowed (--max-record)"
        )
    }

    /// Adds the size of a value; throws if it makes the record too long.
    @inline(__always)
    mutating func hold(_ count: Int) throws(InterchangeError) {
        if isInRecord { held += count }
        // The values cannot be longer than their text in the file.
        if window.offset > limit.held { try checkLength(isInRecord ? 0 : count, behind: held) }
    }

    /// Throws if a value with `count` bytes makes the record too long.
    @inline(never)
    mutating func checkLength(_ count: Int, behind held: Int) throws(InterchangeError) {
        guard held + count <= limit.held, window.offset <= limit.spelled else {
            isTooLong = true
            throw tooLong
        }
    }

    /// Returns a syntax error at the current line; a too long record takes precedence, whatever the block size.
    func broken(_ message: String) -> InterchangeError {
        guard window.offset <= limit.spelled else { return tooLong }
        // If an object is not closed on its line, the error is detected on a later line.
        let isFurtherDown = layout.shape == .lines && isInRecord && line < currentLine
        return InterchangeError(
            .malformed,
            source: window.input.name,
            line: currentLine,
            record: record > 0 && isInRecord ? record : nil,
            message: isFurtherDown ? "\(message); the record begins in line \(line)" : message
        )
    }

    /// Returns the error for a byte that JSON does not allow here.
    func expected(_ what: String, found byte: UInt8?) -> InterchangeError {
        let found =
            switch byte {
            case nil: "the end of the file"
            case let byte? where byte > 0x20 && byte < 0x7F: "\"\(String(decoding: [byte], as: UTF8.self))\""
            case let byte?: "byte \(byte)"
            }
        return broken("expected \(what), found \(found)")
    }
}
