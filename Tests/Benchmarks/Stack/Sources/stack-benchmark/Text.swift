extension Double {
    /// Returns the number with a count of fraction digits.
    func text(_ digits: Int) -> String {
        var scale = 1.0
        for _ in 0..<digits { scale *= 10 }
        let scaled = Int((self * scale).rounded())
        guard digits > 0 else { return String(scaled) }
        let text = String(scaled)
        let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
        return padded.dropLast(digits) + "." + padded.suffix(digits)
    }
}
