/// A filter that removes passwords in connection strings from messages.
enum PasswordGuard {
    /// Returns a text in which connection strings contain neither user names nor passwords.
    ///
    /// The function removes the text between a scheme and the last `@` of its line, and the values of password
    /// parameters. It may remove more than necessary, because a password that is not percent-encoded can contain any
    /// character.
    static func hidden(in text: String) -> String {
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(
            hidden(inLine:))
        return String(decoding: Array(lines.joined(separator: [UInt8(ascii: "\n")])), as: UTF8.self)
    }

    private static func hidden(inLine line: Substring.UTF8View) -> [UInt8] {
        var bytes = Array(line)
        guard let scheme = end(of: ["postgresql:", "postgres:"], in: bytes, from: 0) else { return bytes }
        if let last = bytes.lastIndex(of: UInt8(ascii: "@")), last >= scheme {
            bytes.replaceSubrange(scheme..<last, with: "//…".utf8)
        }
        var place = scheme
        while let value = end(of: ["password="], in: bytes, from: place) {
            let rest = bytes[value...].prefix { !"& \"'".utf8.contains($0) }
            bytes.replaceSubrange(rest.indices, with: "…".utf8)
            place = value
        }
        return bytes
    }

    /// Returns the end of the first occurrence of one of several words; the case is ignored.
    private static func end(of words: [StaticString], in bytes: [UInt8], from start: Int) -> Int? {
        for place in start..<max(start, bytes.count) {
            for word in words where place + word.utf8CodeUnitCount <= bytes.count {
                let isWord = word.withUTF8Buffer { letters in
                    letters.indices.allSatisfy {
                        bytes[place + $0] == letters[$0] || bytes[place + $0] | 0x20 == letters[$0]
                    }
                }
                if isWord { return place + word.utf8CodeUnitCount }
            }
        }
        return nil
    }
}
