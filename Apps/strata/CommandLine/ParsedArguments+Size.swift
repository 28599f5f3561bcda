extension ParsedArguments {
    /// What the letters behind a size stand for.
    private static let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]

    /// The value of an option as a number of bytes, which may end with K, M or G.
    ///
    /// - Parameters:
    ///   - name: The option.
    ///   - range: What is allowed.
    ///   - bounds: The same in words: `1 to 1G`.
    /// - Returns: The bytes; nil where the option was not given.
    /// - Throws: What is no size, or out of range.
    func size(_ name: String, in range: ClosedRange<Int>, bounds: String) throws(UsageError) -> Int? {
        guard let text = value(name) else { return nil }
        let unit = text.uppercased().last.flatMap { Self.units[$0] }
        let digits = unit == nil ? text[...] : text.dropLast()
        let isNumber = !digits.isEmpty && digits.utf8.allSatisfy { $0 &- UInt8(ascii: "0") <= 9 }
        guard isNumber, let number = Int(digits),
            case (let size, let overflows) = number.multipliedReportingOverflow(by: unit ?? 1),
            !overflows, range.contains(size)
        else {
            throw usageError(
                "option --\(name): \"\(text)\" is not a size (\(bounds): bytes, or K, M, G behind a whole number)")
        }
        return size
    }
}
