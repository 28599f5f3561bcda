extension BinaryInteger {
    /// Returns the number with its noun, which ends with an s unless the number is 1: `1 field`, `5 fields`.
    func counted(_ noun: String) -> String {
        self == 1 ? "1 \(noun)" : "\(self) \(noun)s"
    }
}
