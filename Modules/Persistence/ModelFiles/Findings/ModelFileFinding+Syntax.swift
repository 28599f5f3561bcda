import StrataCore

extension ModelFileFinding {
    /// Creates a finding with the location and the reason of a JSON syntax error.
    ///
    /// The location is a line and a column, because a document with a syntax error has no JSON pointers.
    ///
    /// - Parameters:
    ///   - error: The syntax error in the file.
    ///   - json: The bytes of the file.
    init(_ error: JSONSyntaxError, in json: [UInt8]) {
        // The error of a leading zero is located after the zero, but the zero itself is wrong.
        let back = error.isBehindZero ? 1 : 0
        let start = error.offset - error.place.column + 1
        // Editors count characters; all bytes of a character except the first one have the same two highest bits.
        let column = 1 + json[start..<error.offset - back].count { $0 & 0xC0 != 0x80 }
        self.init(
            .error, at: "line \(error.place.line), column \(column)", "this is not valid JSON: \(Self.message(error))")
    }

    private static func message(_ error: JSONSyntaxError) -> String {
        guard !error.isBehindZero else { return "a number must not begin with 0" }
        return switch error.reason {
        case .noValue: "the document ends where a value is expected"
        case .unknownValue: "a value is expected here"
        case .moreBehind: "there is more text after the end of the document"
        case .tooDeep: "the document is nested more than 64 levels deep"
        case .noName: "a member's name in quotes is expected here"
        case .repeatedName(let name): "“\(name)” occurs twice in one object"
        case .noColon: "a colon is expected here"
        case .noEnd(let closing): "a comma or \(closing) is expected here"
        case .noDigit: "a digit is expected here"
        case .notUTF8: "this text is not valid UTF-8"
        case .endlessText: "this text has no closing quote"
        case .controlCharacter: "a text contains a control character; write it as an escape"
        case .unknownEscape: "this is not an escape of JSON"
        case .noHexadecimalDigit: "four hexadecimal digits are expected after \\u"
        case .firstHalfAlone, .wrongSecondHalf, .secondHalfAlone: "half of a surrogate pair is not a character"
        }
    }
}
