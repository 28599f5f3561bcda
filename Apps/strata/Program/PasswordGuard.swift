import Foundation

/// Keeps passwords in connection strings out of what is said.
enum PasswordGuard {
    /// A text in which connection strings have no user and no password: what stands between a scheme and the last `@` of its line, and the
    /// values of parameters that are passwords.
    ///
    /// Rather too much is left out than too little: a password that is not percent-encoded may have any character in it.
    static func hidden(in text: String) -> String {
        guard text.lowercased().contains("postgres") else { return text }
        return text.split(separator: "\n", omittingEmptySubsequences: false).map(hidden(inLine:)).joined(
            separator: "\n")
    }

    private static func hidden(inLine line: Substring) -> String {
        let lower = line.lowercased()
        // What changes its length in lower case is no connection string's.
        guard lower.utf8.count == line.utf8.count,
            let scheme = ["postgresql:", "postgres:"].compactMap({ lower.firstRange(of: $0) }).min(by: {
                $0.lowerBound < $1.lowerBound
            })
        else { return String(line) }
        let bytes = Array(line.utf8)
        let start = lower.utf8.distance(from: lower.startIndex, to: scheme.upperBound)
        var rest = Array(bytes[start...])
        if let last = rest.lastIndex(of: UInt8(ascii: "@")) { rest = Array("//…".utf8) + rest[last...] }
        var result = String(decoding: bytes[..<start] + rest, as: UTF8.self)
        for word in ["password=", "sslpassword="] {
            let parts = result.components(separatedBy: word)
            result = ([parts[0]] + parts.dropFirst().map { "…" + $0.drop { !"& \"”".contains($0) } }).joined(
                separator: word)
        }
        return result
    }
}
