extension ParsedArguments {
    /// The number of bytes for each unit letter after a size.
    private static let units: [Character: Int] = ["K": 1 << 10, "M": 1 << 20, "G": 1 << 30]

    /// Returns the value of an option as a number of bytes, which can end with K, M or G.
    ///
    /// - Parameters:
    ///   - name: The option.
    ///   - range: The allowed sizes.
    ///   - bounds: The allowed sizes in words, such as `1 to 1G`.
    /// - Returns: The number of bytes, or `nil` if the option was not given.
    /// - Throws: ``UsageError`` if the value is not a size or is out of range.
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
                "option --\(name): \"\(text)\" is not a size (\(bounds); write a whole number of bytes, optionally "
                    + "followed by K, M or G)")
        }
        return size
    }
}
