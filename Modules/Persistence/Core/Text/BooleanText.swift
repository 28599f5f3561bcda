/// The text of Boolean values in datasets.
public enum BooleanText {
    /// Parses `true`, `yes`, `1`, `false`, `no` or `0` as a Boolean value; case is ignored.
    ///
    /// - Parameter bytes: The whole text.
    /// - Returns: The Boolean value.
    /// - Throws: ``InvalidText`` with a reason that lists the accepted texts.
    public static func parse(_ bytes: Span<UInt8>) throws(InvalidText) -> Bool {
        // OR with 0x20 converts a letter to lowercase and leaves digits unchanged. Only control characters could also
        // become a letter or a digit; the guard rejects them.
        var letters: UInt64 = 0
        for index in bytes.indices {
            guard bytes.count <= 5, bytes[index] >= UInt8(ascii: "0") else { throw unknown }
            letters = letters << 8 | UInt64(bytes[index] | 0x20)
        }
        switch letters {
        case word("true"), word("yes"), word("1"): return true
        case word("false"), word("no"), word("0"): return false
        default: throw unknown
        }
    }

    private static var unknown: InvalidText { InvalidText("not true or false (true, yes, 1, false, no or 0)") }

    private static func word(_ text: StaticString) -> UInt64 {
        text.withUTF8Buffer { $0.reduce(0) { $0 << 8 | UInt64($1) } }
    }
}
