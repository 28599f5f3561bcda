/// The comparison of a file with a generated text.
enum FirstDifference {
    /// Returns the number of the first line that differs, from 1; `nil` if both texts are equal.
    static func line(_ found: [UInt8], _ generated: [UInt8]) -> Int? {
        if found == generated { return nil }
        let same = zip(found, generated).prefix { $0 == $1 }
        return 1 + same.count { $0.0 == 0x0A }
    }
}
