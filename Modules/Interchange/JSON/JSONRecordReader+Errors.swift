extension JSONRecordReader {
    /// An error at the current record.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - member: The number of the member from 0, when one is meant; named by its key.
    ///   - message: What is wrong, which rule it breaks, and what to do.
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

    var tooLong: InterchangeError {
        let what = isInRecord ? "the record" : "a value"
        return error(
            .malformed, message: "\(what) is longer than \(limit.held) bytes; longer ones can be allowed (--max-record)"
        )
    }

    /// Counts what a value holds; throws where that makes the record too long.
    @inline(__always)
    mutating func hold(_ count: Int) throws(InterchangeError) {
        if isInRecord { held += count }
        // What has no more bytes in the file holds no more.
        if window.offset > limit.held { try checkLength(isInRecord ? 0 : count, behind: held) }
    }

    /// Makes sure that a value of so many bytes does not make the record too long.
    @inline(never)
    mutating func checkLength(_ count: Int, behind held: Int) throws(InterchangeError) {
        guard held + count <= limit.held, window.offset <= limit.spelled else {
            isTooLong = true
            throw tooLong
        }
    }

    /// A broken rule of JSON at the current line; too much length is found first, whatever the blocks.
    func broken(_ message: String) -> InterchangeError {
        guard window.offset <= limit.spelled else { return tooLong }
        // An object that is not closed on its line is found to be broken further down.
        let isFurtherDown = layout.shape == .lines && isInRecord && line < currentLine
        return InterchangeError(
            .malformed,
            source: window.input.name,
            line: currentLine,
            record: record > 0 && isInRecord ? record : nil,
            message: isFurtherDown ? "\(message); the record begins in line \(line)" : message
        )
    }

    /// Something else than what JSON wants here.
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
